import { connect, createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'

import { CountingProxy, difference, RequestCounter } from '../schedulers/counting-proxy.ts'
import { fireTimesOf, type Mark, marked } from '../schedulers/marks.ts'
import { failoverOf } from '../schedulers/parts/failover.ts'
import { latenessOf } from '../schedulers/parts/lateness.ts'
import { megabytesOfJob } from '../schedulers/parts/many-jobs.ts'
import { begunOf } from '../schedulers/parts/resharding.ts'
import type { Run } from '../schedulers/worker.ts'

const [create, ping, multi] = [1, 11, 14]

/** A request as it goes over the wire. */
function request(code: number, size = 0): Buffer {
  const body = Buffer.alloc(8 + size)
  body.writeInt32BE(code, 4)
  return framed(body)
}

function framed(body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length)
  return Buffer.concat([length, body])
}

/** What opens a session; at the place of a code it has something else, here that of a ping. */
const opening = framed(request(ping, 40).subarray(4))

describe('requests', () => {
  const stream = Buffer.concat([opening, request(create, 100), request(ping), request(multi, 3)])

  test.for([1, 3, 7, stream.length])('are counted in pieces of %d bytes, pings aside', (size) => {
    const counter = new RequestCounter()
    for (let at = 0; at < stream.length; at += size) counter.take(stream.subarray(at, at + size))
    expect(counter).toMatchObject({ requests: 3, pings: 1 })
  })

  test('pass through the proxy, and so do the answers', async () => {
    const server = createServer((socket) => socket.pipe(socket))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const proxy = await CountingProxy.start(`127.0.0.1:${(server.address() as AddressInfo).port}`)
    const before = proxy.counts()
    const [host = '', port = ''] = proxy.connectString.split(':')
    const client = connect({ host, port: Number(port) })
    client.write(stream)
    let answered = Buffer.alloc(0)
    while (answered.length < stream.length) {
      const [chunk] = (await once(client, 'data')) as [Buffer]
      answered = Buffer.concat([answered, chunk])
    }
    expect(answered.equals(stream)).toBe(true)
    expect(difference(before, proxy.counts())).toEqual({ requests: 3, pings: 1 })
    await proxy.stop()
    server.close()
  })
})

describe('marks', () => {
  const mark = (what: Mark['what'], shard: number, at: number): Mark => ({ what, shard, at })

  test('tell how long the fire of each second took: until the last one went', () => {
    const marks = [
      mark('created', 0, 5_001),
      mark('deleted', 0, 5_004),
      mark('created', 1, 5_001),
      mark('deleted', 1, 5_009),
      mark('deleted', 1, 6_002),
      mark('deleted', 0, 6_003),
    ]
    expect(fireTimesOf(marks, 2)).toEqual([9, 3])
  })

  test('tell nothing of a fire that was not over within its second', () => {
    expect(fireTimesOf([mark('deleted', 0, 5_990), mark('deleted', 1, 6_010)], 2)).toEqual([])
  })

  test('say which shards run', () => {
    const marks = [mark('created', 0, 1), mark('created', 1, 1), mark('deleted', 0, 2)]
    expect([...marked(marks)]).toEqual([1])
  })
})

const run = (shard: number, fire: number, at: number, job = 'job'): Run => ({
  job,
  shard,
  fire,
  at,
})

describe('lateness', () => {
  test('counts each fire of a job once, and those that never came', () => {
    const runs = [
      run(0, 1_000, 1_010),
      run(0, 1_000, 1_900),
      run(0, 2_000, 2_030),
      run(0, 1_000, 1_020, 'other'),
      run(0, 3_000, 3_500),
    ]
    const lateness = latenessOf(runs, 2, { from: 1_000, until: 3_000 })
    expect(lateness).toEqual({ p50: 20, p99: 30, missed: 1 })
  })
})

describe('failover', () => {
  test('is the first and the last that runs again; all the rest is too much', () => {
    const runs = [run(7, 0, 140), run(8, 0, 120), run(8, 0, 900), run(1, 0, 130)]
    expect(failoverOf(runs, new Set([7, 8]), 100)).toEqual({ first: 20, last: 40, tooMany: 2 })
  })

  test('has failed if a shard does not run again', () => {
    expect(() => failoverOf([run(7, 0, 140)], new Set([7, 8]), 100)).toThrow('only 1 of 2')
  })
})

describe('the fire after a join', () => {
  const runs = [run(0, 5_000, 5_010), run(1, 5_000, 5_030), run(1, 0, 20)]

  test('is over when its last shard has begun', () => {
    expect(begunOf(runs, 5_000, 2)).toEqual({ first: 10, last: 30 })
  })

  test('is not over while one has not', () => {
    expect(begunOf(runs, 5_000, 3)).toBeUndefined()
  })
})

describe('the memory of a job', () => {
  const rest = (megabytes: number): { cpu: number; megabytes: number } => ({ cpu: 0, megabytes })

  test('is what a process has more than one of the same side without it', () => {
    const rests = {
      few: { one: rest(100), other: rest(50) },
      many: { one: rest(300), other: rest(60) },
    }
    expect(megabytesOfJob(100, rests)).toEqual({ one: [2], other: [0.1] })
  })

  test('is not known where there is nothing to compare with', () => {
    expect(megabytesOfJob(100, { few: {}, many: { one: rest(300) } })).toEqual({ one: [] })
  })
})
