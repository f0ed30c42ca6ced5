/** A namespace with thousands of jobs: what is in the document stays small, and what is sought is found. */
import { childOf, part, type TransactionPart, ZooKeeper } from '@elasticjob/zookeeper'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { eventually } from '../zookeeper/harness/eventually.ts'
import { Booth } from './support/booth.ts'
import { launchChromium } from './support/chromium.ts'
import { namespace } from './support/stage.ts'
import { Visitor } from './support/visitor.ts'

const many = 3000
const inOneRequest = 100
const firstReading = 120_000
/** Far more than a window shows, far fewer than there are. */
const mostRows = 150

function nameOf(number: number): string {
  return `job-${String(number).padStart(4, '0')}`
}

/** As instances that are gone have left them, some with a configuration that nobody can read. */
function nodesOf(number: number): readonly TransactionPart[] {
  const path = childOf(`/${namespace}`, nameOf(number))
  const configuration = [
    `jobName: ${nameOf(number)}`,
    `cron: 0 0 ${number % 24} * * ?`,
    `shardingTotalCount: ${number % 500 === 0 ? 'odd' : (number % 7) + 1}`,
    `description: ${number === 2718 ? 'the one that is sought' : 'one of many'}`,
  ]
  return [
    part.create(path, 'elasticjob.Many'),
    part.create(`${path}/config`, configuration.join('\n')),
    part.create(`${path}/servers`),
    part.create(`${path}/servers/10.0.0.${(number % 9) + 1}`, 'ENABLED'),
  ]
}

async function fill(servers: string): Promise<void> {
  await using registry = await ZooKeeper.connect({ servers })
  await registry.create(`/${namespace}`)
  for (let at = 0; at < many; at += inOneRequest) {
    const numbers = Array.from({ length: inOneRequest }, (_, index) => at + index)
    await registry.multi(numbers.flatMap(nodesOf))
  }
}

describe.skipIf(!inject('chromium'))('thousands of jobs', { timeout: 300_000 }, () => {
  let booth: Booth
  let browser: Browser

  beforeAll(async () => {
    booth = await Booth.set()
    await fill(booth.servers)
    await booth.openConsole()
    browser = await launchChromium()
  }, 300_000)

  afterAll(async () => {
    await browser?.close()
    await booth?.[Symbol.asyncDispose]()
  })

  function rowsIn(page: Page): Promise<number> {
    return page.locator('tbody tr:not(.gap)').count()
  }

  function namesIn(page: Page): Promise<string[]> {
    return page.locator('td .job-name').allInnerTexts()
  }

  /** Resolves when the first name that is drawn is this one. */
  function firstIs(page: Page, name: string): Promise<true> {
    return eventually(async () => ((await namesIn(page))[0] === name ? true : undefined), {
      what: `${name} is the first`,
      timeoutMs: 30_000,
      intervalMs: 50,
    })
  }

  async function open(): Promise<Visitor> {
    const visitor = await Visitor.of(browser, booth)
    await visitor.login()
    // The console reads the whole namespace first, which takes a busy machine a while.
    await visitor.page
      .locator(`table[aria-rowcount="${many + 1}"]`)
      .waitFor({ timeout: firstReading })
    return visitor
  }

  it('only those in view are drawn, wherever one scrolls to', async () => {
    await using visitor = await open()
    const { page } = visitor
    await firstIs(page, nameOf(0))
    expect(await rowsIn(page)).toBeLessThan(mostRows)
    const whole = await page.evaluate(() => document.documentElement.scrollHeight)
    for (const share of [0.25, 0.5, 0.75, 1]) {
      await page.evaluate((top) => window.scrollTo(0, top), whole * share)
      // What the window shows now is drawn, and is where its number says.
      const near = Math.round(many * share) - 1
      await eventually(
        async () => {
          const numbers = (await namesIn(page)).map((name) => Number(name.slice(-4)))
          const [first = 0, last = 0] = [numbers[0], numbers.at(-1)]
          return first <= near && near <= last + 30 && numbers.length > 0 ? true : undefined
        },
        { what: `jobs near ${near}`, timeoutMs: 30_000, intervalMs: 50 },
      )
      expect(await rowsIn(page)).toBeLessThan(mostRows)
    }
    await page.getByRole('link', { name: nameOf(many - 1) }).waitFor()
    // The page is as long as all of them, and does not change its length under the reader.
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(whole)
    expect(visitor.complaints).toEqual([])
  })

  it('one is found by its name and by its description', async () => {
    await using visitor = await open()
    const { page } = visitor
    const search = page.getByLabel(visitor.say('jobs.search'))
    await search.fill('job-1234')
    await firstIs(page, 'job-1234')
    expect(await namesIn(page)).toEqual(['job-1234'])
    await search.fill('sought')
    await firstIs(page, nameOf(2718))
    expect(await rowsIn(page)).toBe(1)
    await page.reload()
    await firstIs(page, nameOf(2718))
    await search.fill('there is no such job')
    await page.getByText(visitor.say('jobs.noMatch'), { exact: true }).waitFor()
    expect(await rowsIn(page)).toBe(0)
  })

  it('they are sorted and filtered', async () => {
    await using visitor = await open()
    const { page } = visitor
    const heading = page.getByRole('columnheader', { name: visitor.say('jobs.name') })
    await heading.getByRole('button').click()
    await firstIs(page, nameOf(many - 1))
    expect(await rowsIn(page)).toBeLessThan(mostRows)
    await visitor.goto('/jobs?state=broken')
    await page.locator('table[aria-rowcount="7"]').waitFor()
    expect(await namesIn(page)).toEqual([0, 500, 1000, 1500, 2000, 2500].map(nameOf))
  })
})
