import type { Clock } from '@elasticjob/core'
import { systemClock } from '@elasticjob/core/internal'
import { part, ZooKeeper } from '@elasticjob/zookeeper'
import { expect, it } from 'vitest'

import { LiveReader } from '../support/live-reader.ts'
import { Shop } from '../support/shop.ts'

const count = 35

it('a registry that takes long to read says how far that has come, and then shows everything', async () => {
  const clock = new HeldClock()
  await using shop = await Shop.open({ clock })
  await fill(shop)
  const live = await LiveReader.open(shop.guest, 'jobs=1')
  const { progress } = await live.until('registry', (state) => state.progress !== undefined)
  expect(progress).toEqual({ done: 10, total: count })
  const answer = await shop.guest.get('/jobs')
  expect(answer.status).toBe(503)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(answer.body).toMatchObject({
    error: {
      code: 'CONSOLE_REGISTRY_LOADING',
      message: expect.stringContaining(`10 of ${count} jobs`) as string,
    },
  })
  clock.release()
  const state = await live.until('registry', (each) => each.state === 'connected')
  expect(state.progress).toBeUndefined()
  const { changed, left } = await live.until('jobs')
  expect({ jobs: changed.length, left }).toEqual({ jobs: count, left: 0 })
  expect((await shop.guest.get('/jobs/count')).body).toBe(count)
  await live.close()
})

it('a console that stops while it reads does not wait for the rest', async () => {
  const clock = new HeldClock()
  await using shop = await Shop.open({ clock })
  await fill(shop)
  const live = await LiveReader.open(shop.guest, 'jobs=1')
  await live.until('registry', (state) => state.progress !== undefined)
  const closed = shop.console.stop()
  clock.release()
  await closed
  expect(clock.turns).toBeLessThan(count / 10)
})

it('a list is packed for who can unpack it, and the same for who cannot', async () => {
  await using shop = await Shop.open()
  await fill(shop)
  const plain = await shop.guest.raw('GET', '/jobs')
  expect(plain.headers.get('content-encoding')).toBeNull()
  const packed = await shop.guest.raw('GET', '/jobs', { headers: { 'accept-encoding': 'gzip' } })
  expect(packed.headers.get('content-encoding')).toBe('gzip')
  expect(packed.headers.get('x-total-count')).toBe(String(count))
  const unpacked = packed.body?.pipeThrough(new DecompressionStream('gzip'))
  const text = await plain.text()
  expect(await new Response(unpacked).text()).toBe(text)
  expect(JSON.parse(text)).toHaveLength(count)
})

/** Jobs that nobody runs. */
async function fill({ server, namespace }: Shop): Promise<void> {
  await using zk = await ZooKeeper.connect({ servers: server.connectString })
  const names = Array.from({ length: count }, (_, index) => `job-${index}`)
  const root = `/${namespace}`
  await zk.multi([
    part.create(root),
    ...names.flatMap((name) => [
      part.create(`${root}/${name}`),
      part.create(`${root}/${name}/config`, `jobName: ${name}\nshardingTotalCount: 1\n`),
    ]),
  ])
}

/** Gives others no turn until it is released, and has little patience. */
class HeldClock implements Clock {
  turns = 0
  readonly now = (): number => systemClock.now()
  readonly monotonic = (): number => systemClock.monotonic()
  readonly boot = (): number => systemClock.boot()
  #isHeld = true
  #held: (() => void)[] = []

  setTimer(callback: () => void, milliseconds: number): ReturnType<Clock['setTimer']> {
    return systemClock.setTimer(callback, this.#isHeld ? milliseconds / 100 : milliseconds)
  }

  afterPoll(callback: () => void): void {
    this.turns += 1
    if (this.#isHeld) this.#held.push(callback)
    else systemClock.afterPoll(callback)
  }

  release(): void {
    this.#isHeld = false
    for (const go of this.#held.splice(0)) go()
  }
}
