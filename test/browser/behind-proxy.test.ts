/** The page below a path of a reverse proxy: every link, request, file and cookie stays there. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { Booth } from './support/booth.ts'
import { launchChromium } from './support/chromium.ts'
import { type Proxy, startProxy } from './support/proxy.ts'
import { type Key, Visitor } from './support/visitor.ts'

describe.skipIf(!inject('chromium'))('the page below a path', { timeout: 300_000 }, () => {
  let booth: Booth
  let proxy: Proxy
  let browser: Browser

  beforeAll(async () => {
    booth = await Booth.set()
    const worker = await booth.work('10.0.0.1')
    await worker.schedule(
      { jobName: 'sync-orders', cron: '0 0 3 * * ?', shardingTotalCount: 3 },
      () => {},
    )
    await booth.openConsole({ basePath: '/tools/elasticjob', trustProxy: true })
    proxy = await startProxy(booth.url)
    browser = await launchChromium()
  }, 300_000)

  afterAll(async () => {
    await browser?.close()
    await proxy?.[Symbol.asyncDispose]()
    await booth?.[Symbol.asyncDispose]()
  })

  it('is all there: pages, deep links, live changes, actions, and nothing beside it is asked for', async () => {
    await using visitor = await Visitor.of(browser, proxy)
    const { page } = visitor
    await visitor.login()
    const cookies = await page.context().cookies()
    expect(cookies).toMatchObject([{ path: '/tools/elasticjob', httpOnly: true }])
    await page.getByRole('link', { name: 'sync-orders' }).click()
    await page.locator('.tile').first().waitFor()
    expect(new URL(page.url()).pathname).toBe('/tools/elasticjob/jobs/sync-orders')
    // A deep link with a filter, from the beginning.
    await page.locator('.tile').nth(1).click()
    await page.waitForURL(/shard=1/u)
    await page.reload()
    await page.locator('.panel').waitFor()
    const head = page.locator('.page-head')
    await visitor.perform(visitor.button('action.pause', head), 'action.pause')
    // What was done comes back by the stream.
    await head.locator('.badge', { hasText: visitor.say('job.paused') }).waitFor()
    const places: readonly (readonly [Key, string])[] = [
      ['nav.jobs', 'jobs'],
      ['nav.servers', 'servers'],
      ['nav.history', 'history'],
      ['nav.registries', 'registries'],
      ['nav.dataSources', 'data-sources'],
      ['nav.audit', 'audit'],
      ['nav.help', 'help'],
    ]
    const side = page.locator('nav.side')
    for (const [key, path] of places) {
      const link = side.getByRole('link', { name: visitor.say(key), exact: true })
      await link.click()
      await page.waitForURL((url) => url.pathname === `/tools/elasticjob/${path}`)
      expect(await link.getAttribute('aria-current')).toBe('page')
      const hrefs = await page
        .locator('a[href]')
        .evaluateAll((links) => links.map((each) => each.getAttribute('href') ?? ''))
      expect(hrefs.filter((href) => !/^(?:\/tools\/elasticjob\/|#)/u.test(href))).toEqual([])
    }
    expect(proxy.strays).toEqual([])
    expect(visitor.complaints).toEqual([])
  })

  it('loads the words of another language, and what is fetched later, from there as well', async () => {
    await using visitor = await Visitor.of(browser, proxy, { language: 'zh' })
    await visitor.login('guest')
    await visitor.goto('/jobs/sync-orders/doctor')
    await visitor.page.getByText(visitor.say('doctor.title')).waitFor()
    await visitor.goto('/jobs/nothing')
    await visitor.page.getByText(visitor.say('job.unknown', { job: 'nothing' })).waitFor()
    expect(proxy.strays).toEqual([])
    expect(visitor.complaints).toEqual([])
  })
})
