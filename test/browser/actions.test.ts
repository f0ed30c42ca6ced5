/** Everything that can be done in the page, in both languages, and what came of it in the registry. */
import { Operations } from '@elasticjob/core/operations'
import { ZooKeeper } from '@elasticjob/zookeeper'
import type { Browser, Locator } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { eventually } from '../zookeeper/harness/eventually.ts'
import { launchChromium } from './support/chromium.ts'
import { namespace, Stage } from './support/stage.ts'
import { type Key, type Language, Visitor } from './support/visitor.ts'

const languages: readonly Language[] = ['en', 'zh']

/** What is right for a field, as the server says it in English and the page in Chinese. */
const weekdays: Readonly<Record<Language, string>> = {
  en: 'days of the week are 1 to 7 or SUN to SAT',
  zh: '星期的取值范围为 1 到 7，或 SUN 到 SAT',
}

/** Of a job that is paused: what came of it, and what the doctor says. */
const messageParts = {
  paused: { en: 'job count-stock is paused', zh: '作业 count-stock 已暂停' },
  reset: {
    en: 'the state of shard 0 of job count-stock is reset',
    zh: '作业 count-stock 的分片 0 的状态已重置',
  },
  obstacle: { en: 'the job is paused: resume it', zh: '作业已暂停：请恢复' },
  finding: { en: 'its cron fires are paused', zh: 'cron 触发已暂停' },
  remedy: {
    en: '`elasticjob resume JOB`; what fell due meanwhile is not made up for',
    zh: '`elasticjob resume JOB`；期间错过的触发不会补偿',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<Language, string>>>>

describe.skipIf(!inject('chromium'))('what can be done in the page', { timeout: 600_000 }, () => {
  let stage: Stage
  let browser: Browser
  let operations: Operations

  beforeAll(async () => {
    stage = await Stage.set(['10.0.0.1', '10.0.0.2'])
    browser = await launchChromium()
    operations = await Operations.connect({ servers: stage.servers, namespace })
  }, 600_000)

  afterAll(async () => {
    await operations?.close()
    await browser?.close()
    await stage?.[Symbol.asyncDispose]()
  })

  /** Resolves to true as soon as it is so; rejects if it never is. */
  function becomes(what: string, ask: () => Promise<boolean>): Promise<boolean> {
    return eventually(async () => (await ask()) || undefined, {
      what,
      timeoutMs: 60_000,
      intervalMs: 100,
    })
  }

  describe.each(languages)('in %s', (language) => {
    let visitor: Visitor

    beforeEach(async () => {
      visitor = await Visitor.of(browser, stage, { language })
      await visitor.login()
    })

    afterEach(async () => {
      const { complaints } = visitor
      await visitor[Symbol.asyncDispose]()
      if (complaints.length > 0) throw new Error(complaints.join('\n'))
    })

    function bare(key: Key, about: string): Locator {
      const name = `${visitor.say(key)}: ${about}`
      return visitor.page.getByRole('button', { name, exact: true })
    }

    it('a job: pause, resume, disable, enable, reshard', async () => {
      await visitor.goto('/jobs/count-stock')
      const job = (): Promise<{ paused: boolean; status: string }> => operations.job('count-stock')
      const head = visitor.page.locator('.page-head')
      const told = await visitor.perform(visitor.button('action.pause', head), 'action.pause')
      expect(told).toContain('2')
      expect(told).toContain(messageParts.paused[language])
      await becomes('paused', async () => (await job()).paused)
      await visitor.goto('/jobs/count-stock?shard=0')
      await visitor.page.locator('.panel', { hasText: messageParts.obstacle[language] }).waitFor()
      await visitor.goto('/jobs/count-stock/doctor')
      const finding = visitor.page.locator('.findings li', {
        hasText: messageParts.finding[language],
      })
      await finding.waitFor()
      expect(await finding.innerText()).toContain(messageParts.remedy[language])
      const verdict = await visitor.page.locator('.verdict').innerText()
      expect(verdict).toContain(messageParts.finding[language])
      expect(/[a-z]+ (?:is|are) /u.test(verdict + (await finding.innerText()))).toBe(
        language === 'en',
      )
      await visitor.perform(visitor.button('action.resume', head), 'action.resume')
      await becomes('not paused', async () => !(await job()).paused)
      await visitor.perform(visitor.button('action.disable', head), 'action.disable')
      await becomes('disabled', async () => (await job()).status === 'DISABLED')
      await visitor.perform(visitor.button('action.enable', head), 'action.enable')
      await becomes('enabled', async () => (await job()).status === 'OK')
      await visitor.perform(visitor.button('action.reshard', head), 'action.reshard')
      await becomes('well', async () => (await job()).status === 'OK')
    })

    it('a broken job: repair, after a look at what is lost', async () => {
      const path = `/${namespace}.state/execution/count-stock/0`
      const registry = await ZooKeeper.connect({ servers: stage.servers })
      await registry.set(path, '{')
      await registry.close()
      await visitor.goto('/jobs/count-stock')
      const head = visitor.page.locator('.page-head')
      const alert = visitor.page.locator('.notice.bad', { hasText: path })
      await alert.waitFor()
      await visitor.button('action.repair', head).click()
      const lost = await visitor.dialog.locator('.consequences').innerText()
      expect(lost).toContain(visitor.say('will.repair'))
      expect(lost).toContain(messageParts.reset[language])
      await visitor.button('action.cancel', visitor.dialog).click()
      expect((await operations.job('count-stock')).status).toBe('BROKEN')
      await visitor.perform(visitor.button('action.repair', head), 'action.repair')
      await becomes('readable', async () => (await operations.job('count-stock')).status === 'OK')
      await alert.waitFor({ state: 'detached' })
      await visitor.button('action.repair', head).waitFor({ state: 'detached' })
    })

    it('a job: run some shards now, with a parameter', async () => {
      await visitor.goto('/jobs/send-newsletter')
      const before = (await operations.job('send-newsletter')).manualRuns.last
      await visitor.button('action.trigger', visitor.page.locator('.page-head')).click()
      await visitor.dialog.getByLabel(visitor.say('trigger.parameter')).fill('test')
      await visitor.dialog.getByLabel(visitor.say('trigger.shards'), { exact: true }).fill('0, 3-4')
      expect(await visitor.dialog.locator('.consequences').innerText()).toContain('3')
      await visitor.button('action.trigger', visitor.dialog).click()
      await visitor.dialog.waitFor({ state: 'detached' })
      await becomes('a round', async () => {
        const { last, running, previous } = (await operations.job('send-newsletter')).manualRuns
        const round = running ?? previous
        return last > before && round?.shards?.join() === '0,3,4' && round.parameter === 'test'
      })
    })

    it('a shard: disable, enable, run, stop', async () => {
      await visitor.goto('/jobs/rebuild-index?shard=1')
      const panel = visitor.page.locator('.panel')
      const shard = async () => (await operations.job('rebuild-index')).shards[1]
      await visitor.perform(visitor.button('action.disableShard', panel), 'action.disableShard')
      await becomes('disabled', async () => (await shard())?.disabled === true)
      await visitor.perform(visitor.button('action.enableShard', panel), 'action.enableShard')
      await becomes('enabled', async () => (await shard())?.disabled === false)
      await visitor.perform(visitor.button('action.triggerShard', panel), 'action.triggerShard')
      await becomes('running', async () => (await shard())?.state === 'running')
      await panel.locator('.badge', { hasText: visitor.say('shard.running') }).waitFor()
      await visitor.perform(visitor.button('action.stopRun', panel), 'action.stopRun')
      await becomes('stopped', async () => (await shard())?.run?.outcome !== undefined)
      expect((await shard())?.disabled).toBe(false)
    })

    it('a configuration: checked, compared and saved', async () => {
      await visitor.goto('/jobs/bill-customers/configuration')
      const { page } = visitor
      await page.locator('input[name=cron]').fill('0/7 * * * * !')
      for (const place of ['.field-error', '.field-hint .bad-ink']) {
        await page.locator(place, { hasText: weekdays[language] }).waitFor()
      }
      await page.locator('input[name=cron]').fill('0/7 * * * * ?')
      await page.locator('textarea[name=description]').fill(`changed in ${language}`)
      await page
        .getByRole('button', { name: visitor.say('configuration.review'), exact: true })
        .click()
      const difference = await visitor.dialog.locator('.diff .added').allInnerTexts()
      expect(difference.join('\n')).toContain(`changed in ${language}`)
      expect(await visitor.violations()).toEqual([])
      await visitor.dialog.locator('footer .button.main').click()
      await visitor.dialog.waitFor({ state: 'detached' })
      await becomes('stored', async () => {
        const { configuration } = await operations.configuration('bill-customers')
        return configuration.description === `changed in ${language}`
      })
    })

    it('a server: pause, resume, disable, enable; and one job on it', async () => {
      await visitor.goto('/servers/10.0.0.2')
      const head = visitor.page.locator('.page-head')
      const server = () => operations.server('10.0.0.2')
      await visitor.perform(visitor.button('action.pause', head), 'action.pause')
      await becomes('paused', async () => (await server()).pausedJobCount === 6)
      await visitor.perform(visitor.button('action.resume', head), 'action.resume')
      await becomes('not paused', async () => (await server()).pausedJobCount === 0)
      await visitor.perform(visitor.button('action.disable', head), 'action.disable')
      await becomes('disabled', async () => (await server()).disabledJobCount === 6)
      await visitor.perform(visitor.button('action.enable', head), 'action.enable')
      await becomes('enabled', async () => (await server()).disabledJobCount === 0)
      const about = 'count-stock · 10.0.0.2'
      await visitor.perform(bare('action.disable', about), 'action.disable')
      await becomes('one disabled', async () => (await server()).disabledJobCount === 1)
      await visitor.perform(bare('action.enable', about), 'action.enable')
      await becomes('none disabled', async () => (await server()).disabledJobCount === 0)
      await visitor.perform(bare('action.pause', about), 'action.pause')
      await becomes('one paused', async () => (await server()).pausedJobCount === 1)
      await visitor.perform(bare('action.resume', about), 'action.resume')
      expect(await becomes('none paused', async () => (await server()).pausedJobCount === 0)).toBe(
        true,
      )
    })

    it('many jobs at once', async () => {
      await visitor.goto('/jobs')
      const choose = (name: string): Promise<void> =>
        visitor.page.getByLabel(visitor.say('table.choose', { name })).check()
      const paused = async (): Promise<number> =>
        (await operations.jobs()).filter((job) => job.paused).length
      const bulk = visitor.page.locator('.bulk')
      await choose('sync-orders')
      await choose('count-stock')
      const told = await visitor.perform(visitor.button('action.pause', bulk), 'action.pause')
      expect(told).toContain('count-stock, sync-orders')
      await becomes('two paused', async () => (await paused()) === 2)
      await choose('sync-orders')
      await choose('count-stock')
      await visitor.perform(visitor.button('action.resume', bulk), 'action.resume')
      await becomes('none paused', async () => (await paused()) === 0)
    })

    it('a registry: the reason why it fails, added, shown, forgotten', async () => {
      await visitor.goto('/registries')
      const { page } = visitor
      const name = `other-${language}`
      await visitor.button('registries.add').click()
      const field = (key: Key): Locator =>
        visitor.dialog.getByLabel(visitor.say(key), { exact: true })
      await field('registry.name').fill(name)
      await field('registry.address').fill('127.0.0.1:1')
      await field('registry.namespace').fill('elsewhere')
      await visitor.button('connection.test', visitor.dialog).click()
      await visitor.dialog.locator('.notice.bad').waitFor()
      await field('registry.address').fill(stage.servers)
      await visitor.button('connection.test', visitor.dialog).click()
      await visitor.dialog.locator('.notice.good').waitFor()
      await visitor.button('action.save', visitor.dialog).click()
      const row = page.getByRole('row', { name: new RegExp(name, 'u') })
      await row.waitFor()
      await visitor.button('registry.show', row).click()
      await row.getByText(visitor.say('registry.shown')).waitFor()
      await page.getByRole('link', { name: visitor.say('nav.jobs'), exact: true }).click()
      await page.getByText(visitor.say('jobs.none'), { exact: true }).waitFor()
      await visitor.goto('/registries?registry=local')
      await visitor.perform(bare('action.forget', name), 'action.forget')
      await row.waitFor({ state: 'detached' })
      expect(await row.count()).toBe(0)
    })

    it('a data source: the reason why it fails, added, forgotten', async () => {
      await visitor.goto('/data-sources')
      const name = `archive-${language}`
      await visitor.button('sources.add').click()
      const field = (key: Key): Locator =>
        visitor.dialog.getByLabel(visitor.say(key), { exact: true })
      await field('registry.name').fill(name)
      await field('sources.url').fill('postgresql://127.0.0.1:1/nothing')
      await visitor.button('connection.test', visitor.dialog).click()
      await visitor.dialog.locator('.notice.bad').waitFor()
      await field('sources.url').fill(stage.history)
      await visitor.button('connection.test', visitor.dialog).click()
      await visitor.dialog.locator('.notice.good').waitFor()
      await visitor.button('action.save', visitor.dialog).click()
      const row = visitor.page.getByRole('row', { name: new RegExp(name, 'u') })
      await row.waitFor()
      await visitor.perform(bare('action.forget', name), 'action.forget')
      await row.waitFor({ state: 'detached' })
      expect(await row.count()).toBe(0)
    })

    it('the audit tells of it', async () => {
      await visitor.goto('/audit?job=count-stock')
      const action = visitor.page.getByText(visitor.say('audited.pauseJob'), { exact: true })
      await action.first().waitFor()
      expect(await action.count()).toBeGreaterThan(0)
    })
  })

  it('a guest sees why nothing can be done', async () => {
    await using visitor = await Visitor.of(browser, stage)
    await visitor.login('guest')
    await visitor.goto('/jobs/count-stock')
    const pause = visitor.page.getByRole('button', { name: /^Pause/u }).first()
    await pause.waitFor()
    expect(await pause.getAttribute('title')).toBe(visitor.say('reason.guest'))
    await visitor.goto('/audit')
    await visitor.page.getByText(visitor.say('state.noPermission'), { exact: true }).waitFor()
  })

  it('a wrong password is refused, and somebody who leaves is gone', async () => {
    await using visitor = await Visitor.of(browser, stage)
    await visitor.goto('/')
    await visitor.page.getByLabel(visitor.say('login.username')).fill('root')
    await visitor.page.getByLabel(visitor.say('login.password')).fill('not the password')
    await visitor.button('login.submit').click()
    await visitor.page.getByText(visitor.say('login.wrong')).waitFor()
    await visitor.login()
    await visitor.page.getByRole('button', { name: 'root', exact: true }).click()
    await visitor.button('account.logout').click()
    await visitor.button('login.submit').waitFor()
    expect(await visitor.page.locator('.shell').count()).toBe(0)
  })

  it('instances leave a server and a job, and a job is taken out', async () => {
    await using visitor = await Visitor.of(browser, stage)
    await visitor.login()
    await visitor.goto('/servers/10.0.0.2')
    const about = 'count-stock · 10.0.0.2'
    const shutdown = visitor.page.getByRole('button', {
      name: `${visitor.say('action.shutdown')}: ${about}`,
      exact: true,
    })
    await visitor.perform(shutdown, 'action.shutdown')
    await becomes(
      'one instance',
      async () => (await operations.job('count-stock')).instanceCount === 1,
    )
    const head = visitor.page.locator('.page-head')
    await visitor.perform(visitor.button('action.shutdown', head), 'action.shutdown')
    await becomes(
      'no instance on the server',
      async () => (await operations.server('10.0.0.2')).instanceCount === 0,
    )
    await visitor.perform(visitor.button('action.remove', head), 'action.remove', '10.0.0.2')
    await becomes('no such server', async () =>
      (await operations.servers()).every(({ server }) => server !== '10.0.0.2'),
    )
    await visitor.goto('/jobs/count-stock')
    await visitor.perform(visitor.button('action.shutdown', head), 'action.shutdown')
    await becomes(
      'no instance',
      async () => (await operations.job('count-stock')).instanceCount === 0,
    )
    await visitor.perform(visitor.button('action.remove', head), 'action.remove', 'count-stock')
    await becomes('no such job', async () =>
      (await operations.jobs()).every(({ jobName }) => jobName !== 'count-stock'),
    )
    await visitor.page.getByText(visitor.say('job.unknown', { job: 'count-stock' })).waitFor()
    expect(await visitor.page.locator('.tile').count()).toBe(0)
  })
})
