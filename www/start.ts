// Loads the page in the right language. It is small and comes first, so that only one language is ever fetched.

import { chosen } from './app/language';

const app = document.getElementById('app');
// Written by the build: the script of each language, beside this one.
const { bundles = '{}', failed = '' } = app?.dataset ?? {};
const language = chosen(location.hash.slice(1));

const script = document.createElement('script');
script.type = 'module';
script.src = new URL((JSON.parse(bundles) as Record<string, string>)[language] ?? '', document.baseURI).href;
// A blank page would say nothing.
script.addEventListener('error', () => app?.append(failed));
document.head.append(script);
