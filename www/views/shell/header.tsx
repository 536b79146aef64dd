// Name, promise, language, colours, help.

import { Segments } from '../../components/segments';
import { page } from '../../content/document';
import languages from '../../content/languages.json';
import { s } from '../../content/strings';
import { LANGUAGES, speak } from '../../app/language';
import { helpOpen } from '../../app/store';
import { theme, THEMES } from '../../app/theme';

export function Header() {
  return (
    <header class="top">
      <div class="brand">
        <h1>{s.name}</h1>
        <p class="tagline">{s.tagline}</p>
      </div>
      <p class="promise" title={s.promiseMore}>
        <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" focusable="false">
          <path fill="currentColor" d="M4 7V5a4 4 0 0 1 8 0v2h1v8H3V7zm2 0h4V5a2 2 0 0 0-4 0z" />
        </svg>
        {s.promise}
      </p>
      <div class="tools">
        {LANGUAGES.filter((language) => language !== page.language).map((language) => (
          <button
            key={language}
            type="button"
            class="link-button"
            lang={language}
            title={`${page.languages}: ${languages[language]}`}
            onClick={() => speak(language)}
          >
            {languages[language]}
          </button>
        ))}
        <Segments
          name="theme"
          legend={s.theme.label}
          ids={THEMES}
          labels={s.theme}
          value={theme.value}
          set={(t) => (theme.value = t)}
        />
        <button
          type="button"
          class="round"
          aria-label={s.help.open}
          title={s.help.open}
          onClick={() => (helpOpen.value = true)}
        >
          ?
        </button>
      </div>
    </header>
  );
}
