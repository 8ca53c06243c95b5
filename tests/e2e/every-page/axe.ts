/** The violations that axe finds on a page, in its own document. */
import type { Page } from '@playwright/test'
import axe, { type RunOptions } from 'axe-core'

type Root = typeof globalThis & { axe?: typeof axe }

/** Rules and elements, such as "label: #name". Each document gets the script only once. */
export async function findViolations(page: Page, options: RunOptions = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate(async (given) => {
    const { axe } = globalThis as Root
    if (!axe) throw new Error('There is no axe in this document.')
    // Reporting the passes of a large page takes most of the time.
    return axe.run(document, { ...given, iframes: false, resultTypes: ['violations'] })
  }, options)
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(' ')}`)
}
