// What is English on a page of another language.

/** Runs in the page. Text that has three Latin words in a row, outside of code, sources and what people typed. */
export function latin() {
  const own = 'code, pre, kbd, .cm-editor, script, style, noscript, .source, select, textarea, [lang=en]';
  const sentence = /[A-Za-z]{2,}[,;:]? [a-z]{2,}[,;:]? [a-z]{2,}/;
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: parent, textContent } = walker.currentNode;
    if (parent && !parent.closest(own) && sentence.test(textContent)) found.add(textContent.trim());
  }
  for (const element of document.querySelectorAll('[title], [aria-label], [placeholder]'))
    for (const name of ['title', 'aria-label', 'placeholder']) {
      const text = element.getAttribute(name);
      if (text && sentence.test(text)) found.add(text);
    }
  return [...found];
}
