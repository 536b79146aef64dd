// Style sheets are imported for their effect; the bundler extracts them into one file.
declare module '*.css';

// A file that is published under its own name; the import is its address.
declare module '*?published' {
  const address: string;
  export default address;
}

// All exercises of the course, as text by file name.
interface ImportMeta {
  webpackContext(folder: string, options: { regExp: RegExp }): { (name: string): string; keys(): string[] };
}

// Shaders are imported as text.
declare module '*.wgsl' {
  const code: string;
  export default code;
}
