// Files dropped on the page, for the browser tests and for the scripts that measure the page.

/** Drops files on `selector`: `[{ name, content }]`, content a string or a Buffer. */
export async function drop(page, selector, files) {
  const plain = files.map(({ name, content }) => ({ name, base64: Buffer.from(content).toString('base64') }));
  const data = await page.evaluateHandle((list) => {
    const transfer = new DataTransfer();
    for (const { name, base64 } of list) {
      transfer.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
    }
    return transfer;
  }, plain);
  for (const event of ['dragenter', 'dragover', 'drop']) {
    await page.dispatchEvent(selector, event, { dataTransfer: data });
  }
}
