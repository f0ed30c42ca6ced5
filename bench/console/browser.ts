/** The console in a real browser: how soon something is to be seen, and how soon what has changed. */
import { existsSync } from 'node:fs'

import type { BrowserContext, Page } from 'playwright-core'

import { chromiumPath, launchChromium } from '../../test/browser/support/chromium.ts'

export function browserAvailable(): boolean {
  return existsSync(chromiumPath)
}

/** A row that is there and painted, seen from inside the page. */
const firstRow = `new Promise((resolve) => {
  const look = () =>
    document.querySelector('main table tbody tr:not(.gap)') === null
      ? requestAnimationFrame(look)
      : requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
  look()
})`

function shows(text: string): string {
  return `new Promise((resolve) => {
    const main = document.querySelector('main')
    const look = () => {
      if (!main.textContent.includes(${JSON.stringify(text)})) return
      observer.disconnect()
      requestAnimationFrame(() => setTimeout(() => resolve(Date.now())))
    }
    const observer = new MutationObserver(look)
    observer.observe(main, { childList: true, subtree: true, characterData: true })
    look()
  })`
}

export class MeasuredBrowser implements AsyncDisposable {
  readonly #context: BrowserContext
  readonly #url: string

  private constructor(context: BrowserContext, url: string) {
    this.#context = context
    this.#url = url
  }

  /** Logged in, so that the first page is the list of jobs. */
  static async open(url: string, password: string): Promise<MeasuredBrowser> {
    const browser = await launchChromium()
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const answer = await context.request.post(`${url}/api/session`, {
      data: { username: 'root', password },
      headers: { origin: url },
    })
    if (!answer.ok()) throw new Error(`no login: ${answer.status()} ${await answer.text()}`)
    return new MeasuredBrowser(context, url)
  }

  /** From the beginning of the navigation to a painted row, in milliseconds. */
  async firstPicture(): Promise<number> {
    const page = await this.#open()
    const took = await page.evaluate<number>(firstRow)
    await page.close()
    return took
  }

  /** A page that stays open; its answer is when a text was to be seen, by the machine's clock. */
  async watch(): Promise<{ until: (text: string) => Promise<number> }> {
    const page = await this.#open()
    await page.evaluate(firstRow)
    return { until: (text) => page.evaluate<number>(shows(text)) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context.browser()?.close()
  }

  async #open(): Promise<Page> {
    const page = await this.#context.newPage()
    await page.goto(`${this.#url}/jobs`, { waitUntil: 'commit' })
    return page
  }
}
