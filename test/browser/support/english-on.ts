import type { Page } from 'playwright-core'
import { shopJobs } from './shop.ts'

/**
 * What stands on the page as somebody else has written it: code, commands, keys, logs, errors of jobs; and what
 * only those see who see no page, in both languages.
 */
const verbatim = 'script, style, noscript, pre, code, kbd, .log-text'

/** Texts of the shop itself; and what its jobs throw. */
const ofTheShop = [
  ...shopJobs.flatMap(({ description = '' }) => description),
  'Error: the bank does not answer',
]

/** In a Chinese sentence: commands, and what the client of a registry and the drivers of databases say themselves. */
const quoted = /`[^`]*`|(?<=(?:ZooKeeper|数据库|注册中心)[^（]*)（[^（）]*）/gu

/**
 * What on the page looks like English, one line each: three words of it in a row. Titles and labels that are
 * only heard are part of the page.
 */
export async function englishOn(page: Page): Promise<string[]> {
  const texts = await page.evaluate((skipped) => {
    const found: string[] = []
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node.parentElement?.closest(skipped) === null) found.push(node.textContent ?? '')
    }
    for (const name of ['title', 'aria-label', 'placeholder', 'alt']) {
      for (const element of document.querySelectorAll(`[${name}]`)) {
        found.push(element.getAttribute(name) ?? '')
      }
    }
    return found
  }, verbatim)
  return texts
    .map((text) => ofTheShop.reduce((rest, own) => rest.replaceAll(own, ''), text))
    .map((text) => text.replaceAll(quoted, '').trim())
    .filter((text) => /[a-z]+(?:[,;:]? [a-z]+){2}/u.test(text))
}
