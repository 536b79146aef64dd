// Style sheets are imported for their effect; the bundler extracts them into one file.
declare module '*.css';
