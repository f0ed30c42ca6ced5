/** What is inside of a job: its counts, what an instance says itself, its tree; and why something fails. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { fill } from '../../packages/console/ui/src/i18n/fill.ts'
import { messages } from '../../packages/console/ui/src/i18n/zh/messages.ts'
import { eventually } from '../zookeeper/harness/eventually.ts'
import { freePort } from '../zookeeper/harness/free-port.ts'
import { Booth } from './support/booth.ts'
import { launchChromium } from './support/chromium.ts'
import { keepImage } from './support/images.ts'
import { Visitor } from './support/visitor.ts'

const jobName = 'count-stock'

describe.skipIf(!inject('chromium'))('the inside of a job', { timeout: 300_000 }, () => {
  let booth: Booth
  let browser: Browser
  let port: number

  beforeAll(async () => {
    booth = await Booth.set()
    port = await freePort()
    // An address where it can be asked: others are not this machine's.
    const worker = await booth.work('127.0.0.1')
    const listening = new Promise<void>((resolve) => {
      worker.on('dump:listening', () => resolve())
    })
    const job = await worker.schedule(
      {
        jobName,
        shardingTotalCount: 2,
        jobErrorHandlerType: 'IGNORE',
        props: { 'monitor.port': String(port), 'process.count.interval.seconds': '1' },
      },
      ({ shardingItem }) => {
        if (shardingItem === 1) throw new Error('the shelf is empty')
      },
    )
    await job.trigger()
    await listening
    await booth.openConsole()
    browser = await launchChromium()
  }, 300_000)

  afterAll(async () => {
    await browser?.close()
    await booth?.[Symbol.asyncDispose]()
  })

  it('what instances have counted, what one says on its port, and the tree', async () => {
    await using visitor = await Visitor.of(browser, booth)
    const { page } = visitor
    await visitor.login()
    await visitor.goto(`/jobs/${jobName}/doctor`)
    const counts = page.getByRole('table', { name: visitor.say('counts.title') })
    const again = page
      .locator('section', { has: page.locator('#counts-title') })
      .getByRole('button', { name: visitor.say('doctor.again') })
    await eventually(
      async () => {
        await again.click()
        return (await counts.innerText()).includes('1 / 1') ? true : undefined
      },
      { what: 'a run that went well and one that failed', timeoutMs: 60_000, intervalMs: 300 },
    )
    await page
      .getByRole('button', { name: visitor.say('dump.ask', { server: '127.0.0.1' }) })
      .click()
    const messageParts = page
      .getByLabel(visitor.say('dump.title'), { exact: true })
      .locator('xpath=self::pre')
    await messageParts.waitFor()
    expect(await messageParts.innerText()).toContain(`/${jobName}/config | `)
    await visitor.button('tree.show').click()
    const tree = page
      .getByLabel(visitor.say('tree.title'), { exact: true })
      .locator('xpath=self::pre')
    await tree.waitFor()
    expect(await tree.innerText()).toContain(`monitor.port: '${port}'`)
    await counts.evaluate((table) => table.closest('section')?.scrollIntoView())
    await keepImage(page, 'inside')
    expect(await visitor.violations()).toEqual([])
    expect(visitor.complaints).toEqual([])
  })

  it('a guest may not have an instance asked, and reads why', async () => {
    await using visitor = await Visitor.of(browser, booth, { theme: 'dark' })
    await visitor.login('guest')
    await visitor.goto(`/jobs/${jobName}/doctor`)
    const ask = visitor.page.getByRole('button', {
      name: visitor.say('dump.ask', { server: '127.0.0.1' }),
    })
    await ask.waitFor()
    expect(await ask.getAttribute('title')).toBe(visitor.say('reason.guest'))
    expect(await visitor.violations()).toEqual([])
  })

  it('why something fails is said in Chinese to those who read Chinese', async () => {
    await using visitor = await Visitor.of(browser, booth, { language: 'zh' })
    const { page } = visitor
    await visitor.login()
    await visitor.goto('/servers/10.9.9.9')
    const message = fill(messages['server-unknown'] ?? '', { server: '10.9.9.9' })
    expect(message).toMatch(/\p{Script=Han}.*10\.9\.9\.9/u)
    await page.getByText(message).waitFor()
    await page.getByRole('button', { name: 'Switch to English' }).click()
    await page.getByText(message).waitFor({ state: 'detached' })
    expect(await page.getByText('has a server "10.9.9.9"').count()).toBe(1)
  })
})
