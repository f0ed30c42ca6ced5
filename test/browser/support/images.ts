import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const folder = fileURLToPath(new URL('../../../docs/images/console/', import.meta.url))
/** `SCREENSHOTS=1 npm run test:browser` renews the pictures of the docs. */
const keepsImages = process.env['SCREENSHOTS'] === '1'

/** A picture of the page for the docs, when they are to be renewed. */
export async function keepImage(page: Page, name: string): Promise<void> {
  if (keepsImages) await page.screenshot({ path: `${folder}${name}.png` })
}
