/** A reader of Chinese meets no sentence of English, on any page and whatever happens. */
import { ZooKeeper } from '@elasticjob/zookeeper'
import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { launchChromium } from './support/chromium.ts'
import { englishOn } from './support/english-on.ts'
import { sights } from './support/sights.ts'
import { namespace, passwords, Stage } from './support/stage.ts'
import { type Key, Visitor } from './support/visitor.ts'

/** Words come a moment after what they are about; English that stays is wrong. */
const timeout = { timeout: 20_000 }

describe.skipIf(!inject('chromium'))('the console in Chinese', { timeout: 600_000 }, () => {
  let stage: Stage
  let browser: Browser
  let visitor: Visitor
  let runId: string

  beforeAll(async () => {
    stage = await Stage.set(['10.0.0.1', '10.0.0.2'])
    browser = await launchChromium()
    runId = await stage.enliven()
    await using registry = await ZooKeeper.connect({ servers: stage.servers })
    for (const [name, text] of Object.entries(oddJobs)) {
      await registry.create(`/${namespace}/${name}/config`, text, { parents: true })
    }
    visitor = await Visitor.of(browser, stage, { language: 'zh' })
    await visitor.login()
  }, 600_000)

  afterAll(async () => {
    await browser?.close()
    await stage?.[Symbol.asyncDispose]()
  })

  /** Configurations that somebody has stored, and nobody would accept. */
  const oddJobs = {
    'odd-flags': [
      'jobName: odd-flags',
      'cron: 0 0 3 * * ?',
      'shardingTotalCount: 1',
      'shardingItemParameters: 0=a,b',
      'failover: true',
      'monitorExecution: false',
      'jobExecutorThreadPoolSizeProviderType: com.example.Pool',
    ].join('\n'),
    'odd-cron': 'jobName: odd-cron\ncron: every morning\nshardingTotalCount: 1',
    'odd-text': 'jobName: odd-text\nshardingTotalCount: many',
  }

  const english = (): Promise<string[]> => englishOn(visitor.page)

  const field = (key: Key): Locator => visitor.dialog.getByLabel(visitor.say(key), { exact: true })

  it('at the door', async () => {
    await using stranger = await Visitor.of(browser, stage, { language: 'zh' })
    await stranger.goto('/')
    await stranger.page.getByLabel(stranger.say('login.username')).fill('root')
    await stranger.page.getByLabel(stranger.say('login.password')).fill('a-wrong-password')
    await stranger.button('login.submit').click()
    await stranger.page.locator('.notice.bad').waitFor()
    await expect.poll(() => englishOn(stranger.page), timeout).toEqual([])
  })

  it.each(sights)('on the page $name', async ({ path, selector }) => {
    await visitor.goto(path)
    await visitor.page.locator(selector).first().waitFor()
    await expect.poll(english, timeout).toEqual([])
  })

  it('on a run, and on one that nobody knows', async () => {
    await visitor.goto(`/runs/${runId}`)
    await visitor.page.locator('.log-line').first().waitFor()
    await expect.poll(english, timeout).toEqual([])
    await visitor.goto('/runs/of-nobody')
    await visitor.page.locator('.condition').waitFor()
    await expect.poll(english, timeout).toEqual([])
  })

  it.each([
    ['odd-flags', '.notice.warn >> nth=2'],
    ['odd-cron', '.field-hint .bad-ink'],
    ['odd-text', '.condition.bad'],
  ])('of what is wrong with job %s', async (job, told) => {
    await visitor.goto(`/jobs/${job}/configuration`)
    await visitor.page.locator(told).waitFor()
    await expect.poll(english, timeout).toEqual([])
    await visitor.goto(`/jobs/${job}/doctor`)
    await visitor.page.locator('.verdict').waitFor()
    await expect.poll(english, timeout).toEqual([])
  })

  it.each(['/jobs/of-nobody', '/jobs/of-nobody/doctor', '/servers/10.9.9.9', '/nowhere'])(
    'where there is nothing: %s',
    async (path) => {
      await visitor.goto(path)
      await visitor.page.locator('.condition').waitFor()
      await expect.poll(english, timeout).toEqual([])
    },
  )

  it('of connections that are tried', async () => {
    const attempt = async (key: Key, text: string, outcome: 'good' | 'bad'): Promise<void> => {
      await field(key).fill(text)
      await visitor.button('connection.test', visitor.dialog).click()
      await visitor.dialog.locator(`.notice.${outcome}`).waitFor()
      await expect.poll(english, timeout).toEqual([])
    }
    await visitor.goto('/registries')
    await visitor.button('registries.add').click()
    await field('registry.name').fill('other')
    await field('registry.namespace').fill('elsewhere')
    await attempt('registry.address', '127.0.0.1:1', 'bad')
    await attempt('registry.address', stage.servers, 'good')
    await visitor.goto('/data-sources')
    await visitor.button('sources.add').click()
    await field('registry.name').fill('archive')
    await attempt('sources.url', 'somewhere', 'bad')
    await attempt('sources.url', 'postgresql://127.0.0.1:1/nothing', 'bad')
    await attempt('sources.url', 'sqlite:/nowhere.db', 'bad')
    await attempt('sources.url', stage.history, 'good')
  })

  it('in the audit, of what was done, refused and failed', async () => {
    const authorization = (name: 'root' | 'guest'): Record<string, string> => ({
      authorization: `Basic ${Buffer.from(`${name}:${passwords[name]}`).toString('base64')}`,
    })
    const ask = (path: string, headers: Record<string, string>, method = 'POST'): unknown =>
      fetch(`${stage.url}/api/jobs/${path}`, { method, headers })
    await ask('count-stock/pause', authorization('root'))
    await ask('count-stock/pause', authorization('root'), 'DELETE')
    await ask('count-stock/pause', authorization('guest'))
    await ask('of-nobody/trigger', authorization('root'))
    await ask('of-nobody/disable', {})
    await visitor.goto('/audit')
    await visitor.page.getByRole('cell', { name: 'of-nobody' }).nth(1).waitFor()
    await expect.poll(english, timeout).toEqual([])
    await visitor.page.getByRole('row').nth(1).getByRole('button').click()
    await visitor.dialog.waitFor()
    await expect.poll(english, timeout).toEqual([])
  })

  it('when the registry is gone', async () => {
    await visitor.goto('/jobs/count-stock')
    await visitor.page.locator('.tile').first().waitFor()
    await stage.stopZooKeeper()
    await visitor.page.locator('.stale').waitFor()
    await expect.poll(english, timeout).toEqual([])
    await visitor.goto('/servers/10.0.0.1')
    await visitor.page.locator('.stale').waitFor()
    await expect.poll(english, timeout).toEqual([])
    await stage.startZooKeeper()
    await visitor.page.locator('.registry-picker.fresh').waitFor()
  })
})
