// The playground's view of exported programs.

/** Exports, and waits for what is said of the model. */
export async function exportModel(page) {
  await page.click('#export');
  await page.locator('#draft').waitFor({ timeout: 120_000 });
  return page.textContent('#draft');
}

/** The texts of a table's cells, row by row. */
export const rowsOf = (page, table) =>
  page
    .locator(`${table} tbody tr`)
    .evaluateAll((rows) => rows.map(({ cells }) => [...cells].map(({ textContent }) => textContent)));

/** What the page says of each module: name, and number of nodes. */
export const modulesOf = (page) =>
  page
    .locator('.module-tree label')
    .evaluateAll((labels) =>
      labels.map((label) => [label.title, Number(/(\d+) nodes?$/.exec(label.textContent.trim())[1])]),
    );

/** Keeps every length that a text has from now on; the function gives them. */
export async function watchLengths(page, selector) {
  await page.evaluate((watched) => {
    const target = document.querySelector(watched);
    globalThis.lengths = [];
    const note = () => globalThis.lengths.push(target.textContent.length);
    new MutationObserver(note).observe(target, { characterData: true, childList: true, subtree: true });
  }, selector);
  return () => page.evaluate(() => globalThis.lengths);
}
