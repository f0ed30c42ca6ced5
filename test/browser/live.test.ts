/** What happens elsewhere is on the page without a reload, and what is old is said to be. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { launchChromium } from './support/chromium.ts'
import { Stage } from './support/stage.ts'
import { Visitor } from './support/visitor.ts'

describe.skipIf(!inject('chromium'))('the page while it is open', { timeout: 600_000 }, () => {
  let stage: Stage
  let browser: Browser

  beforeAll(async () => {
    stage = await Stage.set(['10.0.0.1', '10.0.0.2'])
    browser = await launchChromium()
  }, 600_000)

  afterAll(async () => {
    await browser?.close()
    await stage?.[Symbol.asyncDispose]()
  })

  it('says since when the registry is gone, lets nothing be done, and goes on when it is back', async () => {
    await using visitor = await Visitor.of(browser, stage)
    const { page } = visitor
    await visitor.login()
    await visitor.goto('/jobs/count-stock')
    await page.locator('.tile').first().waitFor()
    await stage.stopZooKeeper()
    const notice = page.locator('.stale')
    await notice.waitFor()
    expect(await notice.innerText()).toMatch(/registry cannot be reached since \d\d:\d\d:\d\d/u)
    // What was known stays to be read.
    expect(await page.locator('.tile').count()).toBe(4)
    const pause = page.getByRole('button', { name: /^Pause/u }).first()
    expect(await pause.getAttribute('aria-disabled')).toBe('true')
    expect(await pause.getAttribute('title')).toBe(visitor.say('reason.registryLost'))
    expect(await visitor.violations()).toEqual([])
    await stage.startZooKeeper()
    await notice.waitFor({ state: 'detached' })
    await page.locator('.registry-picker.fresh').waitFor()
    expect(visitor.complaints).toEqual([])
  })

  it('moves the shards of a killed worker on the map, without a reload', async () => {
    await using visitor = await Visitor.of(browser, stage)
    const { page } = visitor
    await visitor.login()
    await stage.settled()
    await visitor.goto('/jobs/sync-orders')
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
    const of = (ip: string) => page.locator(`[data-instance^="${ip}@"] .tile`)
    await of('10.0.0.1').first().waitFor()
    const before = await of('10.0.0.2').count()
    await stage.killWorker('10.0.0.1')
    // One more than there were: then one has moved.
    await of('10.0.0.2').nth(before).waitFor()
    await of('10.0.0.1').first().waitFor({ state: 'detached' })
    expect(await of('10.0.0.2').count()).toBe(6)
    expect(await page.evaluate(() => (globalThis as { isSamePage?: boolean }).isSamePage)).toBe(
      true,
    )
  })

  it('follows the log of a run while it is written', async () => {
    await using visitor = await Visitor.of(browser, stage)
    const { page } = visitor
    await visitor.login()
    await visitor.goto('/jobs/rebuild-index?shard=0')
    await visitor.button('action.triggerShard').click()
    await visitor.button('action.triggerShard', visitor.dialog).click()
    await page.locator('.panel .badge', { hasText: visitor.say('shard.running') }).waitFor()
    await page.getByRole('link', { name: visitor.say('run.open') }).click()
    const lines = page.locator('.log-line')
    await lines.first().waitFor()
    const count = await lines.count()
    await lines.nth(count + 1).waitFor()
    expect(await lines.first().innerText()).toContain('page 1 is indexed')
  })
})
