// Texts of which a person sees only a part: cut by the edge of a box that hides what sticks out, or wider than their field.

/** Waits until nothing of a page is at work. What is still to come cannot be looked at, so that a page that never comes to rest is a failure. */
export const atRest = (page, timeout = 60_000) =>
  page.waitForFunction(
    () => document.querySelector('main') && !document.querySelector('[data-testid$=progress]'),
    null,
    { timeout },
  );

/** Runs in the page. Gives each text that is cut, with where it stands. A box that scrolls cuts nothing. */
export function cutTexts() {
  const found = new Map();
  const path = (element) => {
    const names = [];
    for (let at = element; at && names.length < 4; at = at.parentElement)
      names.unshift(
        `${at.localName}${at.id ? `#${at.id}` : ''}${at.classList.length ? `.${[...at.classList].join('.')}` : ''}`,
      );
    return names.join(' > ');
  };
  const note = (element, text) => found.set(`${path(element)}: ${text.trim().slice(0, 60)}`, true);
  /** Texts for screen readers are cut on purpose. */
  const unseen = (element) => element.closest('.unseen, [hidden], .skip, noscript, script, style, template');
  const clips = (style) => /hidden|clip/.test(style.overflowX);
  const scrolls = (style) => /auto|scroll/.test(style.overflowX);

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const element = node.parentElement;
    if (!element || node.textContent.trim() === '' || unseen(element) || element.closest('select, .cm-editor'))
      continue;
    if (!element.checkVisibility?.({ visibilityProperty: true })) continue;
    range.selectNodeContents(node);
    const { left, right, width } = range.getBoundingClientRect();
    if (width === 0) continue;
    for (let box = element; box && box !== document.body; box = box.parentElement) {
      const style = getComputedStyle(box);
      if (scrolls(style)) break;
      const edge = box.getBoundingClientRect();
      // A box of a pixel is how texts for screen readers are hidden.
      if (edge.width <= 2) break;
      const isDrawing = box.localName === 'svg' && style.overflowX !== 'visible';
      if ((clips(style) || isDrawing) && (right > edge.right + 1.5 || left < edge.left - 1.5)) {
        note(element, node.textContent);
        break;
      }
    }
  }
  const canvas = document.createElement('canvas').getContext('2d');
  for (const select of document.querySelectorAll('select')) {
    const option = select.selectedOptions[0];
    if (!option || unseen(select) || select.clientWidth === 0) continue;
    const style = getComputedStyle(select);
    canvas.font = style.font;
    const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    // The arrow takes about 16 pixels of the field.
    const more = canvas.measureText(option.text).width - (room - 14);
    if (more > 0) note(select, `${option.text} (${Math.ceil(more)} px)`);
  }
  for (const field of document.querySelectorAll('input[placeholder]'))
    if (!field.value && field.clientWidth > 0) {
      const style = getComputedStyle(field);
      canvas.font = style.font;
      const sides = ['paddingLeft', 'paddingRight', 'borderLeftWidth', 'borderRightWidth'];
      const within = field.offsetWidth - sides.reduce((sum, side) => sum + parseFloat(style[side]), 0);
      // In Firefox the inner width is without padding and without the arrows of a number.
      const room = Math.min(field.clientWidth, within);
      if (canvas.measureText(field.placeholder).width > room + 1) note(field, field.placeholder);
    }
  for (const button of document.querySelectorAll('button, [role=tab], .badge'))
    if (
      button.clientWidth > 0 &&
      !unseen(button) &&
      button.scrollWidth > button.clientWidth + 1 &&
      clips(getComputedStyle(button))
    )
      note(button, button.textContent);
  return [...found.keys()];
}
