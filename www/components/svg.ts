// SVG text from the engine as a node of the page, with nothing in it that could act.

import { say } from '../content/messages';

const BANNED =
  'script, foreignObject, iframe, object, embed, use, a, style, animate, set, animateTransform, animateMotion';

/** Each line of a text as this language says it. */
function speak(el: Element) {
  const own = el.textContent;
  const said = own.split('\n').map(say).join('\n');
  if (said !== own && el.childElementCount === 0) el.textContent = said;
}

/** The picture, or null when the text is not SVG. */
export function safeSvg(text: string, label: string): SVGElement | null {
  const root = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
  if (root.localName !== 'svg') return null;
  for (const el of root.querySelectorAll(BANNED)) el.remove();
  for (const el of [root, ...root.querySelectorAll('*')]) {
    for (const { name, value } of [...el.attributes]) {
      if (/^on/i.test(name) || /^(xlink:)?href$/i.test(name) || name === 'style' || /url\(\s*['"]?(?!#)/i.test(value))
        el.removeAttribute(name);
    }
  }
  const svg = document.adoptNode(root) as Element as SVGElement;
  const [width, height] = [svg.getAttribute('width'), svg.getAttribute('height')];
  if (!svg.hasAttribute('viewBox') && width && height)
    svg.setAttribute('viewBox', `0 0 ${parseFloat(width)} ${parseFloat(height)}`);
  for (const el of svg.querySelectorAll('text, title')) speak(el);
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', label);
  svg.setAttribute('class', 'drawing');
  return svg;
}
