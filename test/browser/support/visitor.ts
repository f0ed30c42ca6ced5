/** Somebody who looks at the console: with a browser, a language and a theme. */
import axe from 'axe-core'
import type { Browser, Locator, Page } from 'playwright-core'
import { en } from '../../../packages/console/ui/src/i18n/en.ts'
import { fill, type Values } from '../../../packages/console/ui/src/i18n/fill.ts'
import { zh } from '../../../packages/console/ui/src/i18n/zh.ts'
import { passwords } from './stage.ts'

export type Language = 'en' | 'zh'
export type Theme = 'light' | 'dark'
export type Key = keyof typeof en

interface Axe {
  run(options: { resultTypes: ['violations'] }): Promise<{
    violations: { id: string; nodes: { html: string }[] }[]
  }>
}

const dictionaries: Readonly<Record<Language, Readonly<Record<Key, string>>>> = { en, zh }

/** A busy machine is slow; what is wrong stays wrong for this long, too. */
const timeout = 30_000

/** Where the console is. */
interface Site {
  readonly url: string
}

interface Look {
  readonly language?: Language
  readonly theme?: Theme
  readonly width?: number
}

export class Visitor implements AsyncDisposable {
  readonly page: Page
  readonly #site: Site
  readonly #language: Language
  /** What the browser complained about: errors of scripts, and what the policy forbade. */
  readonly complaints: string[] = []

  private constructor(page: Page, site: Site, language: Language) {
    this.page = page
    this.#site = site
    this.#language = language
    page.on('pageerror', (error) => this.complaints.push(error.stack ?? error.message))
    page.on('console', (message) => {
      // A server that is away, and a password that is wrong, are told as errors as well.
      if (message.type() === 'error' && !/Failed to load resource|ERR_/u.test(message.text())) {
        this.complaints.push(message.text())
      }
    })
  }

  static async of(browser: Browser, site: Site, look: Look = {}): Promise<Visitor> {
    const { language = 'en', theme = 'light', width = 1280 } = look
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      colorScheme: theme,
      locale: language === 'zh' ? 'zh-CN' : 'en-GB',
      timezoneId: 'Europe/London',
      reducedMotion: 'reduce',
    })
    context.setDefaultTimeout(timeout)
    return new Visitor(await context.newPage(), site, language)
  }

  /** A word of the page, in the visitor's language. */
  say(key: Key, values?: Values): string {
    return fill(dictionaries[this.#language][key], values)
  }

  async goto(path: string): Promise<void> {
    await this.page.goto(`${this.#site.url}${path}`)
  }

  async login(username: 'root' | 'guest' = 'root'): Promise<void> {
    await this.goto('/')
    await this.page.getByLabel(this.say('login.username')).fill(username)
    await this.page.getByLabel(this.say('login.password')).fill(passwords[username])
    await this.page.getByRole('button', { name: this.say('login.submit') }).click()
    await this.page.locator('.shell').waitFor()
  }

  button(key: Key, within: Page | Locator = this.page): Locator {
    return within.getByRole('button', { name: this.say(key), exact: true })
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog')
  }

  /** Presses a button, says yes to what it asks, and waits until that is told to be done. */
  async perform(button: Locator, confirmation: Key, typed?: string): Promise<string> {
    await button.click()
    const consequences = await this.dialog.locator('.consequences').innerText()
    if (typed !== undefined) await this.dialog.getByRole('textbox').fill(typed)
    await this.button(confirmation, this.dialog).click()
    await this.dialog.waitFor({ state: 'detached' })
    const toast = this.page.locator('.toast').last()
    await toast.waitFor()
    const told = await toast.innerText()
    await this.button('action.close', toast).click()
    return `${consequences}\n${told}`
  }

  /** What axe-core finds wrong with the page as it is, one line each. */
  async violations(): Promise<string[]> {
    await this.page.evaluate(axe.source)
    const results = await this.page.evaluate(() =>
      (globalThis as unknown as { axe: Axe }).axe.run({
        // What passed is of no interest, and costs most of the time.
        resultTypes: ['violations'],
      }),
    )
    return results.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.context().close()
  }
}
