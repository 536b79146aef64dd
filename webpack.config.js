import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { EsbuildPlugin } from 'esbuild-loader';
import HtmlWebpackPlugin from 'html-webpack-plugin';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import webpack from 'webpack';

const here = path.dirname(fileURLToPath(import.meta.url));
const target = 'es2022';
const words = path.join(here, 'www/content');
// The first is the language that the sources are written in. Each other one has a folder of its own in `www/content`.
const languages = Object.keys(JSON.parse(readFileSync(path.join(words, 'languages.json'))));
/** Chunks without words: each language ships the same file. */
const WORDLESS = ['worker', 'editor', 'drawings-light', 'drawings-dark', 'kept', 'patterns', 'unzip'];

const rules = [
  {
    test: /\.tsx?$/,
    loader: 'esbuild-loader',
    options: { target, charset: 'utf8', jsx: 'automatic', jsxImportSource: 'preact' },
  },
  // Published beside the page under its own name, for people who write topology files.
  { resourceQuery: /published/, type: 'asset/resource', generator: { filename: '[name][ext]' } },
  { test: /\.wgsl$/, type: 'asset/source' },
  // As text: a hand-in names the hash of the file.
  { test: /course.exercises.[\w-]+\.json$/, type: 'asset/source' },
  // Files, not <style> elements: the page's Content-Security-Policy allows no inline styles.
  { test: /\.css$/, use: [MiniCssExtractPlugin.loader, 'css-loader'] },
];

/** An import of words takes those of the language, where it has a module of the same name. Its own modules may take the source's. */
const translated = (language) =>
  new webpack.NormalModuleReplacementPlugin(/^\.\.?\//, (asked) => {
    const module = path.relative(words, path.resolve(asked.context, asked.request));
    const own = path.join(words, language, module);
    if (module.startsWith('..') || asked.context.startsWith(path.join(words, language))) return;
    if (existsSync(`${own}.ts`)) asked.request = own;
  });

/** The files of the first screen, by language. */
const entries = {};
const noted = (language) => ({
  apply: (compiler) =>
    compiler.hooks.done.tap('noted', ({ compilation }) => {
      entries[language] = compilation.entrypoints.get('main').getFiles();
    }),
});
const filesOf = (language, type) => entries[language].filter((file) => file.endsWith(type));

export default (env, argv) => {
  const develops = argv.mode === 'development';
  // While it watches, names stay: the document would not hear of new ones.
  const hash = develops ? '' : '.[contenthash:8]';
  const shared = {
    // One bundle for page and workers: the `new Worker(new URL(…))` becomes a chunk, and every `new URL('…wasm',
    // import.meta.url)`, the page's and wasm-bindgen's own, one shared asset. (asyncWebAssembly made two copies of it.)
    target: ['web', target],
    resolve: { extensions: ['.tsx', '.ts', '.js'] },
    module: { rules },
    optimization: {
      // Files say what they are; tests/e2e/static.test.mjs holds a size for each name.
      chunkIds: 'named',
      splitChunks: {
        cacheGroups: { editor: { test: /node_modules.(@codemirror|@lezer)/, name: 'editor', chunks: 'async' } },
      },
      minimizer: [new EsbuildPlugin({ target, charset: 'utf8', css: true })],
    },
    performance: { hints: false },
    // Never the `eval` kinds: the policy forbids them in development too.
    devtool: develops ? 'source-map' : false,
  };
  const output = {
    path: path.join(here, develops ? 'target/dev' : 'dist'),
    assetModuleFilename: `[name]${hash}[ext]`,
    publicPath: 'auto', // relative to the running script, so any sub-path works
  };

  /** The page in one language. They share what has no words: equal files have equal names. */
  const bundle = (language) => {
    const isSource = language === languages[0];
    const filename = ({ chunk }) =>
      isSource || WORDLESS.includes(chunk.name) ? `[name]${hash}.js` : `[name].${language}${hash}.js`;
    return {
      ...shared,
      name: language,
      entry: './www/main',
      // The first to be built empties the folder, and the others wait for it.
      output: { ...output, filename, chunkFilename: filename, clean: isSource && !develops },
      dependencies: isSource ? [] : [languages[0]],
      plugins: [
        ...(isSource ? [] : [translated(language)]),
        new MiniCssExtractPlugin({ filename: `[name]${hash}.css` }),
        noted(language),
      ],
    };
  };

  const document = {
    ...shared,
    name: 'document',
    entry: { start: './www/start' },
    output: { ...output, filename: `[name]${hash}.js` },
    dependencies: languages,
    plugins: [
      new HtmlWebpackPlugin({
        template: './index.html',
        scriptLoading: 'module',
        templateParameters: () => ({
          // Previews of links show a picture by its whole address, which only the host knows: `SITE_URL=https://host/folder/`.
          site: process.env.SITE_URL ?? '',
          scripts: Object.fromEntries(languages.map((language) => [language, filesOf(language, '.js')[0]])),
          styles: filesOf(languages[0], '.css'),
        }),
      }),
    ],
  };
  return [...languages.map(bundle), document];
};
