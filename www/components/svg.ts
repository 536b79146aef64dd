// SVG text from the engine as a node of the page, with nothing in it that could act.

const BANNED =
  'script, foreignObject, iframe, object, embed, use, a, style, animate, set, animateTransform, animateMotion';

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
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', label);
  svg.setAttribute('class', 'drawing');
  return svg;
}
