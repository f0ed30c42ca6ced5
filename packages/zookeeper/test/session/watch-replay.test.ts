import { JuteWriter, operations } from '@elasticjob/zookeeper/protocol'
import { describe, expect, it } from 'vitest'

import { WatchRegistry } from '../../src/session/watch-registry.ts'
import { oneShotReplays, watchReplays } from '../../src/session/watch-replay.ts'

const ignore = (): void => {}

describe('watchReplays', () => {
  it('returns no request without watches', () => {
    expect(watchReplays(new WatchRegistry(), 7n)).toEqual([])
  })

  it('lists every path under its kind', () => {
    const registry = new WatchRegistry()
    registry.addOneShot('data', '/d', ignore)
    registry.addOneShot('exist', '/e', ignore)
    registry.addOneShot('child', '/c', ignore)
    registry.addLasting('persistent', '/p', ignore)
    registry.addLasting('recursive', '/r', ignore)
    expect(watchReplays(registry, 7n)).toEqual([
      {
        relativeZxid: 7n,
        data: ['/d'],
        exist: ['/e'],
        child: ['/c'],
        persistent: ['/p'],
        recursive: ['/r'],
      },
    ])
  })

  it("keeps each request far below the server's limit, and loses no path", () => {
    const registry = new WatchRegistry()
    const paths = Array.from({ length: 10_000 }, (_, i) => `/${'x'.repeat(100)}/${i}`)
    for (const path of paths) registry.addOneShot('exist', path, ignore)
    registry.addLasting('recursive', '/last', ignore)
    const requests = watchReplays(registry, 1n)
    for (const request of requests) {
      const writer = new JuteWriter()
      operations.setWatches2.writeRequest(writer, request)
      expect(writer.length).toBeLessThan(140_000)
    }
    expect(requests.flatMap(({ exist }) => exist)).toEqual(paths)
    // The server keeps the mode that it received last.
    expect(requests.at(-1)?.recursive).toEqual(['/last'])
  })

  it('sends a path longer than the request limit in a request of its own', () => {
    const registry = new WatchRegistry()
    const long = `/${'x'.repeat(200_000)}`
    registry.addOneShot('data', '/a', ignore)
    registry.addOneShot('data', long, ignore)
    expect(watchReplays(registry, 1n).map(({ data }) => data)).toEqual([['/a'], [long]])
  })
})

describe('oneShotReplays', () => {
  it('lists one path under the kinds that watch it', () => {
    const registry = new WatchRegistry()
    registry.addOneShot('data', '/a', ignore)
    registry.addOneShot('child', '/a', ignore)
    registry.addOneShot('child', '/b', ignore)
    const [request] = oneShotReplays(registry, '/a', 3n)
    expect(request).toMatchObject({ data: ['/a'], exist: [], child: ['/a'] })
  })
})
