// The keys of the reports as JSON, with the meaning that the Rust structs give them: read from the page's generated types.
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const FILE = new URL('../../www/engine/generated/index.ts', import.meta.url);

/** What the page saves and the terminal prints, by the type of its whole. */
export const REPORTS = {
  CacheReport: 'Models `paper` and `reference`',
  GpuReport: 'Model `gpu`',
};

const docOf = (node) =>
  ts
    .getJSDocCommentsAndTags(node)
    .map((doc) => ts.getTextOfJSDocComment(doc.comment) ?? '')
    .join(' ')
    .replaceAll(/\[`?([^`\]]+)`?\](\([^)]*\))?/g, '`$1`')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The types of the file by name: their members with type and meaning, and the types that they name. */
function typesOf() {
  const source = ts.createSourceFile('types.ts', readFileSync(FILE, 'utf8'), ts.ScriptTarget.ES2022, true);
  const types = new Map();
  for (const alias of source.statements.filter(ts.isTypeAliasDeclaration)) {
    const [members, named] = [[], new Set()];
    const visit = (node) => {
      if (ts.isTypeReferenceNode(node)) named.add(node.typeName.getText());
      if (ts.isPropertySignature(node)) {
        const type = node.type.getText().replaceAll(/\s+/g, ' ');
        members.push({ key: node.name.getText().replaceAll(/['"]/g, ''), type, meaning: docOf(node) });
        // Members of a nested object are keys too.
      }
      ts.forEachChild(node, visit);
    };
    visit(alias.type);
    types.set(alias.name.text, { members, named, meaning: docOf(alias) });
  }
  return types;
}

/** The types that make up a report, the report first. */
export function keysOf(report) {
  const types = typesOf();
  const found = new Map();
  const add = (name) => {
    const type = types.get(name);
    if (!type || found.has(name)) return;
    found.set(name, type);
    for (const inner of type.named) add(inner);
  };
  add(report);
  return found;
}
