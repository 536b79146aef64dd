// The lint rules of the page, the scripts and the browser tests. Prettier decides the layout, so no rule here is about it.

import { readdirSync } from 'node:fs';
import js from '@eslint/js';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import globals from 'globals';
import tseslint from 'typescript-eslint';

const extensions = ['.ts', '.tsx', '.js', '.mjs'];

/** Folders of the page and the folders that each may import from. An import of a type counts as well. */
const folders = {
  content: ['engine'],
  engine: [],
  app: ['content', 'engine', 'offline'],
  offline: [],
  components: ['app', 'content', 'engine', 'styles'],
};
// A tab imports no other tab. The frame holds the first tab, and `views/tabs.ts` fetches the others.
const ofViews = ['app', 'components', 'content', 'engine', 'styles'];
for (const view of readdirSync('www/views', { withFileTypes: true })) {
  if (view.isDirectory()) folders[`views/${view.name}`] = view.name === 'shell' ? [...ofViews, 'views/cache'] : ofViews;
}

const zones = Object.entries(folders).map(([folder, others]) => ({
  target: `./www/${folder}`,
  from: './www',
  except: [folder, ...others].map((other) => `./${other}`),
  message: `eslint.config.js lists what www/${folder} may import.`,
}));

/** Folders that may use the types of the engine but not its code. */
const typesOfEngine = {
  patterns: [{ group: ['**/engine/**'], allowTypeImports: true, message: 'Only types of the engine are used here.' }],
};

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'pkg/',
      'target/',
      'tools/*/target/',
      'screenshots/',
      'release/',
      'shared/',
      'tests/data/',
      'www/engine/generated/',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  tseslint.configs.recommended,
  {
    plugins: { 'import-x': importX },
    settings: {
      'import-x/extensions': extensions,
      'import-x/resolver-next': [createNodeResolver({ extensions })],
      // `import-x` reads imported files itself.
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.tsx'] },
    },
    rules: {
      eqeqeq: 'error',
      'max-lines': ['error', 500],
      'max-lines-per-function': ['error', 80],
      'max-params': ['error', 6],
      'no-console': 'off',
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      'import-x/no-duplicates': ['error', { 'prefer-inline': true }],
      'import-x/no-self-import': 'error',
      'import-x/no-restricted-paths': ['error', { basePath: import.meta.dirname, zones }],
      // A name that begins with `_` says that its value is left out on purpose.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['www/**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.test.json', './www/offline/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      // A function that must return a promise may have nothing to wait for.
      '@typescript-eslint/require-await': 'off',
      // node's runner waits for its tests itself.
      '@typescript-eslint/no-floating-promises': [
        'error',
        { allowForKnownSafeCalls: [{ from: 'package', package: 'node:test', name: ['test'] }] },
      ],
    },
  },
  {
    files: ['www/{components,content}/**'],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', typesOfEngine] },
  },
  { files: ['**/*.{js,mjs}'], languageOptions: { globals: globals.node } },
  // Functions that the browser tests and the measurements hand to the page run there.
  {
    files: ['tests/{campaign,e2e,firefox,links}/**', 'scripts/{measure,test}/**'],
    languageOptions: { globals: globals.browser },
  },
);
