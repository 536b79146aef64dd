import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { EsbuildPlugin } from 'esbuild-loader';
import HtmlWebpackPlugin from 'html-webpack-plugin';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';

const here = path.dirname(fileURLToPath(import.meta.url));
const target = 'es2022';

export default (env, argv) => ({
  entry: './www/main',
  // One bundle for page and workers: the `new Worker(new URL(…))` becomes a chunk, and every `new URL('…wasm',
  // import.meta.url)`, the page's and wasm-bindgen's own, one shared asset. (asyncWebAssembly made two copies of it.)
  target: ['web', target],
  output: {
    path: path.join(here, 'dist'),
    filename: '[name].[contenthash:8].js',
    assetModuleFilename: '[name].[contenthash:8][ext]',
    publicPath: 'auto', // relative to the running script, so any sub-path works
    clean: true,
  },
  resolve: { extensions: ['.tsx', '.ts', '.js'] },
  module: {
    rules: [
      {
        test: /\.tsx?$/,
        loader: 'esbuild-loader',
        options: { target, jsx: 'automatic', jsxImportSource: 'preact' },
      },
      // Published beside the page under its own name, for people who write topology files.
      { resourceQuery: /published/, type: 'asset/resource', generator: { filename: '[name][ext]' } },
      { test: /\.wgsl$/, type: 'asset/source' },
      // Files, not <style> elements: the page's Content-Security-Policy allows no inline styles.
      { test: /\.css$/, use: [MiniCssExtractPlugin.loader, 'css-loader'] },
    ],
  },
  plugins: [
    // Previews of links show a picture by its whole address, which only the host knows: `SITE_URL=https://host/folder/`.
    new HtmlWebpackPlugin({ template: './index.html', scriptLoading: 'module', site: process.env.SITE_URL ?? '' }),
    new MiniCssExtractPlugin({ filename: '[name].[contenthash:8].css' }),
  ],
  optimization: {
    // Files say what they are; tests/e2e/static.test.mjs holds a size for each name.
    chunkIds: 'named',
    splitChunks: {
      cacheGroups: { editor: { test: /node_modules.(@codemirror|@lezer)/, name: 'editor', chunks: 'async' } },
    },
    minimizer: [new EsbuildPlugin({ target, css: true })],
  },
  devServer: { static: false, host: '127.0.0.1', hot: false, client: { overlay: false } },
  performance: { hints: false },
  // Never the `eval` kinds: the policy forbids them in development too.
  devtool: argv.mode === 'development' ? 'source-map' : false,
});
