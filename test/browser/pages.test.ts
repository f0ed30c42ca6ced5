/** Every page, in both languages, light and dark. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { launchChromium } from './support/chromium.ts'
import { keepImage } from './support/images.ts'
import { type Sight, sights } from './support/sights.ts'
import { Stage } from './support/stage.ts'
import { type Language, type Theme, Visitor } from './support/visitor.ts'

/** Of these looks, pictures of some pages; of English and light, of all. */
const kept: Readonly<Record<string, readonly string[]>> = {
  '-dark': ['jobs', 'job'],
  '-zh': ['jobs', 'job', 'configuration', 'doctor'],
}

// English and light last: by then there is something to be seen on timelines and charts.
const looks: readonly (readonly [Language, Theme])[] = [
  ['en', 'dark'],
  ['zh', 'light'],
  ['zh', 'dark'],
  ['en', 'light'],
]

describe.skipIf(!inject('chromium'))('the pages of the console', { timeout: 900_000 }, () => {
  let stage: Stage
  let browser: Browser
  let runId: string

  beforeAll(async () => {
    stage = await Stage.set(['10.0.0.1', '10.0.0.2'])
    browser = await launchChromium()
    runId = await stage.enliven()
  }, 600_000)

  afterAll(async () => {
    await browser?.close()
    await stage?.[Symbol.asyncDispose]()
  })

  /** What is wrong with a page, one line each. */
  async function look(visitor: Visitor, { name, path, selector, title }: Sight): Promise<string[]> {
    await visitor.goto(path)
    await visitor.page.locator(selector).first().waitFor()
    await visitor.page
      .getByRole('heading', { name: visitor.say(title) })
      .or(visitor.page.locator('legend', { hasText: visitor.say(title) }))
      .first()
      .waitFor()
    expect(await visitor.page.title()).not.toBe('taken')
    const violations = await visitor.violations()
    return violations.map((each) => `${name}: ${each}`)
  }

  it.each(looks)('are whole and accessible, in %s and %s', async (language, theme) => {
    await using visitor = await Visitor.of(browser, stage, { language, theme })
    await visitor.goto('/')
    await visitor.button('login.submit').waitFor()
    expect(await visitor.violations()).toEqual([])
    const suffix = `${language === 'zh' ? '-zh' : ''}${theme === 'dark' ? '-dark' : ''}`
    const isKept = (name: string): boolean => suffix === '' || kept[suffix]?.includes(name) === true
    if (suffix === '') await keepImage(visitor.page, 'login')
    await visitor.login()
    const run: Sight = {
      name: 'run',
      path: `/runs/${runId}`,
      selector: '.log-line',
      title: 'log.title',
    }
    const violations: string[] = []
    for (const sight of [...sights, run]) {
      violations.push(...(await look(visitor, sight)))
      if (isKept(sight.name)) await keepImage(visitor.page, `${sight.name}${suffix}`)
    }
    await visitor.page.keyboard.press('Control+k')
    await visitor.page.locator('.palette').getByRole('option').first().waitFor()
    violations.push(...(await visitor.violations()))
    if (suffix === '') await keepImage(visitor.page, 'palette')
    expect(violations).toEqual([])
    expect(visitor.complaints).toEqual([])
  })

  it('fit the width of a phone', async () => {
    await using visitor = await Visitor.of(browser, stage, { width: 390 })
    await visitor.login()
    const wide: string[] = []
    for (const sight of sights) {
      await look(visitor, sight)
      const width = await visitor.page.evaluate(() => document.documentElement.scrollWidth)
      if (width > 390) wide.push(`${sight.name}: ${width}`)
      if (sight.name === 'jobs' || sight.name === 'job')
        await keepImage(visitor.page, `${sight.name}-phone`)
    }
    expect(wide).toEqual([])
    await visitor.button('nav.menu').click()
    await visitor.page.getByRole('link', { name: visitor.say('nav.servers') }).click()
    await visitor.page.getByRole('heading', { name: visitor.say('nav.servers') }).waitFor()
  })

  it('show texts from the registry as texts', async () => {
    await using visitor = await Visitor.of(browser, stage)
    await visitor.login()
    await visitor.page.getByRole('link', { name: '<img src=x onerror=alert(1)>' }).click()
    await visitor.page.locator('.tile', { hasText: '<b>bold</b>' }).waitFor()
    expect(await visitor.page.locator('main img, main script').count()).toBe(0)
    expect(visitor.complaints).toEqual([])
  })

  it('switch their language and their look without a reload', async () => {
    await using visitor = await Visitor.of(browser, stage)
    await visitor.login()
    await visitor.page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
    await visitor.page.getByRole('button', { name: '切换到中文' }).click()
    await visitor.page.getByRole('heading', { name: '作业', exact: true }).waitFor()
    await visitor.page.getByRole('button', { name: 'Switch to English' }).click()
    await visitor.page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor()
    await visitor.page.getByRole('button', { name: /^Appearance/u }).click()
    await visitor.page.getByRole('button', { name: /^Appearance/u }).click()
    expect(await visitor.page.evaluate(() => document.documentElement.dataset['theme'])).toBe(
      'dark',
    )
    expect(
      await visitor.page.evaluate(() => (globalThis as { isSamePage?: boolean }).isSamePage),
    ).toBe(true)
  })

  it('are reached by the keyboard', async () => {
    await using visitor = await Visitor.of(browser, stage)
    await visitor.login()
    await visitor.page.keyboard.press('Control+k')
    await visitor.page.locator('.palette').getByRole('option').first().waitFor()
    await visitor.page.keyboard.type('stock')
    await visitor.page.getByRole('option', { name: /count-stock/u }).waitFor()
    await visitor.page.keyboard.press('Enter')
    await visitor.page.getByRole('heading', { name: /count-stock/u }).waitFor()
    await visitor.page.keyboard.press('g')
    await visitor.page.keyboard.press('s')
    await visitor.page.getByRole('heading', { name: visitor.say('nav.servers') }).waitFor()
    await visitor.page.keyboard.press('/')
    await visitor.page.keyboard.type('0.2')
    await visitor.page.waitForURL(/search=0\.2/u)
    await visitor.page.getByRole('row').nth(1).waitFor()
    expect(await visitor.page.getByRole('row').count()).toBe(2)
  })

  it('keep filters in their address', async () => {
    await using visitor = await Visitor.of(browser, stage)
    await visitor.login()
    await visitor.page.getByRole('searchbox').fill('orders')
    await visitor.page.waitForURL(/search=orders/u)
    await visitor.page.reload()
    await visitor.page.getByRole('link', { name: 'sync-orders' }).waitFor()
    expect(await visitor.page.locator('td .job-name').count()).toBe(1)
  })
})
