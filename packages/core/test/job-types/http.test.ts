import type { ServerResponse } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'

import { describe, expect, onTestFinished, test } from 'vitest'

import { type Clock, systemClock } from '../../src/clock.ts'
import type { ShardingContext } from '../../src/job-types/context.ts'
import { httpType } from '../../src/job-types/http.ts'
import { ManualClock } from './support/clocks.ts'
import { shardContext, TestControl } from './support/contexts.ts'
import { startServer } from './support/http-server.ts'

async function request(
  props: Readonly<Record<string, string>>,
  given: Partial<ShardingContext> = {},
  clock: Clock = systemClock,
): Promise<void> {
  const { runner } = httpType(clock)
  if (runner.scope !== 'shard') throw new Error('a shard at a time was expected')
  const control = new TestControl({ 'http.method': 'GET', ...props })
  await runner.run(shardContext(given), control)
}

describe('an HTTP request', () => {
  test('carries the context in a header that any parser reads', async () => {
    const { origin, received } = await startServer((_request, response) => response.end())
    const uri = `${origin}/sync?city=1`
    await request({ 'http.uri': uri }, { shardingParameter: '北京 "é"\u007f' })
    expect(received).toMatchObject([{ method: 'GET', url: '/sync?city=1', body: '' }])
    expect(JSON.parse(String(received[0]?.headers['shardingcontext']))).toEqual({
      jobName: 'sync-orders',
      taskId: 'sync-orders@-@0,1@-@READY@-@10.0.0.1@-@4711',
      shardingTotalCount: 2,
      jobParameter: 'all',
      shardingItem: 0,
      shardingParameter: '北京 "é"\u007f',
    })
  })

  test.for(['POST', 'PUT', 'PATCH', 'DELETE', 'post'])(
    'has its data sent by %s',
    async (method) => {
      const { origin, received } = await startServer((_request, response) => response.end())
      await request({
        'http.uri': origin,
        'http.method': method,
        'http.data': '{"city":"北京"}',
        'http.content.type': 'application/json',
      })
      expect(received).toMatchObject([
        {
          method: method.toUpperCase(),
          body: '{"city":"北京"}',
          headers: { 'content-type': 'application/json', 'content-length': '17' },
        },
      ])
    },
  )

  test.for(['GET', 'HEAD', 'OPTIONS'])('keeps its data for itself with %s', async (method) => {
    const { origin, received } = await startServer((_request, response) => response.end())
    await request({ 'http.uri': origin, 'http.method': method, 'http.data': 'city=1' })
    expect(received).toMatchObject([{ method, body: '' }])
    expect(received[0]?.headers).not.toHaveProperty('content-type')
  })

  test.for([
    ['POST', 'application/x-www-form-urlencoded'],
    ['PUT', undefined],
  ] as const)('of %s is by default of the type that Java says: %s', async ([method, type]) => {
    const { origin, received } = await startServer((_request, response) => response.end())
    await request({ 'http.uri': origin, 'http.method': method, 'http.data': 'city=1' })
    expect(received[0]?.headers['content-type']).toBe(type)
  })
})

describe('an answer', () => {
  test.for([200, 204, 304, 399])('of %i is a success', async (status) => {
    const { origin } = await startServer((_request, response) => response.writeHead(status).end())
    await expect(request({ 'http.uri': origin })).resolves.toBeUndefined()
  })

  test.for([400, 404, 500, 503])('of %i is a failure', async (status) => {
    const { origin } = await startServer((_request, response) => {
      response.writeHead(status).end('the database is away')
    })
    const run = request({ 'http.uri': `${origin.replace('//', '//user:secret@')}/sync?token=1` })
    await expect(run).rejects.toMatchObject({
      code: 'JOB_HTTP_FAILED',
      status,
      message: expect.stringMatching(
        new RegExp(`^GET ${origin}/sync answered ${status} [A-Z].*: the database is away$`),
      ) as string,
    })
  })

  test('may be a failure without a word', async () => {
    const { origin } = await startServer((_request, response) => response.writeHead(500).end())
    await expect(request({ 'http.uri': origin })).rejects.toThrow(
      `GET ${origin}/ answered 500 Internal Server Error`,
    )
  })

  test('is told by its beginning', async () => {
    const { origin } = await startServer((_request, response) => {
      response.writeHead(500).end('x'.repeat(1_000_000))
    })
    await expect(request({ 'http.uri': origin })).rejects.toSatisfy(
      ({ message }: Error) => message.length < 3_000,
    )
  })

  test('that breaks off is a failure', async () => {
    const { origin } = await startServer((_request, response) => {
      response.writeHead(200, { 'content-length': '10' })
      response.write('half', () => response.destroy())
    })
    await expect(request({ 'http.uri': origin })).rejects.toMatchObject({ code: 'JOB_HTTP_FAILED' })
  })
})

describe('a redirect', () => {
  test.for([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [307, 'POST', 'POST'],
    [308, 'PUT', 'PUT'],
    [302, 'DELETE', 'DELETE'],
  ] as const)('of %i to a %s is followed by a %s', async ([status, method, then]) => {
    const { origin, received } = await startServer(({ url }, response) => {
      if (url === '/old') response.writeHead(status, { location: '/new' }).end()
      else response.end()
    })
    await request({ 'http.uri': `${origin}/old`, 'http.method': method, 'http.data': 'city=1' })
    const body = then === 'GET' ? '' : 'city=1'
    expect(received[1]).toMatchObject({ method: then, url: '/new', body })
    expect(received[1]?.headers['shardingcontext']).toBe(received[0]?.headers['shardingcontext'])
  })

  test('that leads to a failure is one', async () => {
    const { origin } = await startServer(({ url }, response) => {
      if (url === '/old') response.writeHead(302, { location: '/new' }).end()
      else response.writeHead(500).end()
    })
    await expect(request({ 'http.uri': `${origin}/old` })).rejects.toMatchObject({ status: 500 })
  })

  test('in a circle ends', async () => {
    const { origin, received } = await startServer((_request, response) => {
      response.writeHead(302, { location: '/' }).end()
    })
    await expect(request({ 'http.uri': origin })).rejects.toThrow('more than 5 redirects')
    expect(received).toHaveLength(6)
  })

  test('to where no request can go is a failure', async () => {
    const { origin } = await startServer((_request, response) => {
      response.writeHead(302, { location: 'file:///etc/passwd' }).end()
    })
    await expect(request({ 'http.uri': origin })).rejects.toThrow(
      'redirects to "file:///etc/passwd", which is no address',
    )
  })
})

describe('a redirect to another server', () => {
  test.for([307, 308, 302])('of %i is refused when the request has a body', async (status) => {
    const other = await startServer((_request, response) => response.end())
    const { origin } = await startServer((_request, response) => {
      response.writeHead(status, { location: `${other.origin}/new` }).end()
    })
    // An old redirect of a POST drops the body; that of a PUT keeps it.
    const props = { 'http.uri': origin, 'http.method': 'PUT', 'http.data': 'secret=1' }
    await expect(request(props)).rejects.toMatchObject({
      code: 'JOB_HTTP_FAILED',
      status,
      message: expect.stringContaining(
        `PUT ${origin}/ redirects to another server, ${other.origin}; its body is not sent there`,
      ) as string,
    })
    expect(other.received).toEqual([])
  })

  test('is followed by a request without a body, which does not carry the login', async () => {
    const other = await startServer((_request, response) => response.end())
    const { origin, received } = await startServer((_request, response) => {
      response.writeHead(303, { location: `${other.origin}/new` }).end()
    })
    const uri = origin.replace('http://', 'http://user:password@')
    await request({ 'http.uri': uri, 'http.method': 'POST', 'http.data': 'secret=1' })
    expect(received[0]?.headers.authorization).toBe('Basic dXNlcjpwYXNzd29yZA==')
    expect(other.received).toMatchObject([{ method: 'GET', url: '/new', body: '' }])
    expect(other.received[0]?.headers).not.toHaveProperty('authorization')
  })

  test('keeps the login on the same server', async () => {
    const { origin, received } = await startServer(({ url }, response) => {
      if (url === '/old') response.writeHead(307, { location: '/new' }).end()
      else response.end()
    })
    await request({ 'http.uri': `${origin.replace('http://', 'http://user:password@')}/old` })
    expect(received[1]?.headers.authorization).toBe('Basic dXNlcjpwYXNzd29yZA==')
  })
})

describe('an answer that does not end', () => {
  test('is cut off at its largest size', async () => {
    const { origin } = await startServer((_request, response) => {
      const write = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      }
      response.on('drain', write)
      write()
    })
    const props = { 'http.uri': origin, 'http.response.max.bytes': '1000000' }
    await expect(request(props)).rejects.toMatchObject({
      code: 'JOB_HTTP_FAILED',
      message: `GET ${origin}/: the answer is larger than 1000000 bytes`,
    })
  })

  test('is cut off after its longest time, though it is never silent', async () => {
    const clock = new ManualClock()
    const { origin } = await startServer((_request, response) => void speakOn(response))
    async function speakOn(response: ServerResponse): Promise<void> {
      while (!response.destroyed) {
        clock.advance(4_000)
        const heard = clock.timerSet()
        response.write('word')
        await Promise.race([heard, new Promise((resolve) => response.once('close', resolve))])
      }
    }
    const props = { 'http.uri': origin, 'http.response.timeout.milliseconds': '10000' }
    await expect(request(props, {}, clock)).rejects.toThrow(
      `GET ${origin}/: the answer had not ended 10000 ms after its beginning`,
    )
    expect(clock.pendingTimers).toBe(0)
  })
})

describe('no answer', () => {
  test('because nobody listens is a failure', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    await expect(request({ 'http.uri': `http://127.0.0.1:${port}` })).rejects.toMatchObject({
      code: 'JOB_HTTP_FAILED',
      status: undefined,
      message: expect.stringContaining('ECONNREFUSED') as string,
    })
  })

  test('because there is no connection in time', async () => {
    const { origin } = await startServer((_request, response) => response.end())
    // Time is over before a connection can be made.
    const impatient: Clock = {
      ...systemClock,
      setTimer(callback) {
        queueMicrotask(callback)
        return { cancel() {} }
      },
    }
    await expect(request({ 'http.uri': origin }, {}, impatient)).rejects.toThrow(
      `GET ${origin}/: no connection within 3000 ms`,
    )
  })

  test('because the server is silent', async () => {
    const clock = new ManualClock()
    const { origin } = await startServer(() => clock.advance(5_000))
    await expect(request({ 'http.uri': origin }, {}, clock)).rejects.toThrow(
      `GET ${origin}/: nothing was heard for 5000 ms`,
    )
    expect(clock.pendingTimers).toBe(0)
  })

  test('because the server does not speak TLS', async () => {
    const clock = new ManualClock()
    const server = createServer((socket) => socket.once('data', () => clock.advance(5_000)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const run = request({ 'http.uri': `https://127.0.0.1:${port}` }, {}, clock)
    await expect(run).rejects.toThrow('nothing was heard for 5000 ms')
  })

  test('is not said of a server that speaks slowly', async () => {
    const clock = new ManualClock()
    const { origin } = await startServer((_request, response) => void speakSlowly(response))
    async function speakSlowly(response: ServerResponse): Promise<void> {
      for (const word of ['one', 'two', 'three']) {
        clock.advance(4_000)
        const heard = clock.timerSet()
        response.write(word)
        await heard
      }
      response.end()
    }
    await request({ 'http.uri': origin }, {}, clock)
    expect(clock.now()).toBe(12_000)
    expect(clock.pendingTimers).toBe(0)
  })

  test('may take as long as it takes where there is no limit', async () => {
    const clock = new ManualClock()
    const { origin } = await startServer((_request, response) => {
      clock.advance(1e9)
      response.end()
    })
    const props = {
      'http.uri': origin,
      'http.connect.timeout.milliseconds': '0',
      'http.read.timeout.milliseconds': '0',
    }
    await expect(request(props, {}, clock)).resolves.toBeUndefined()
  })
})

describe('an abort', () => {
  test('ends the request', async () => {
    const controller = new AbortController()
    let closed = Promise.resolve()
    const { origin } = await startServer((_request, response) => {
      closed = new Promise((resolve) => response.once('close', resolve))
      controller.abort(new Error('the lease is over'))
    })
    const clock = new ManualClock()
    const run = request({ 'http.uri': origin }, { signal: controller.signal }, clock)
    await expect(run).rejects.toMatchObject({
      code: 'JOB_HTTP_FAILED',
      message: `GET ${origin}/: the lease is over`,
    })
    await closed
    expect(clock.pendingTimers).toBe(0)
  })

  test('before it keeps it from being sent', async () => {
    const { origin, received } = await startServer((_request, response) => response.end())
    const signal = AbortSignal.abort(new Error('stopped'))
    await expect(request({ 'http.uri': origin }, { signal })).rejects.toThrow('stopped')
    expect(received).toEqual([])
  })
})

describe('props', () => {
  const type = httpType(systemClock)

  test('that do', () => {
    expect(
      type.problemsOf({ 'http.uri': 'https://example.org/run', 'http.method': 'POST' }),
    ).toEqual([])
  })

  test('that are missing are named', () => {
    expect(type.problemsOf({})).toEqual([
      { key: 'http.uri', message: 'is required' },
      { key: 'http.method', message: 'is required' },
    ])
  })

  test('that do not do are named', () => {
    const props = {
      'http.uri': 'ftp://example.org',
      'http.method': 'FETCH',
      'http.content.type': 'text/\n',
      'http.connect.timeout.milliseconds': '-1',
      'http.read.timeout.milliseconds': 'soon',
      'http.response.timeout.milliseconds': '-1',
      'http.response.max.bytes': '0',
    }
    expect(type.problemsOf(props).map(({ key }) => key)).toEqual(Object.keys(props))
    expect(type.problemsOf({ ...props, 'http.uri': 'example' })[0]?.message).toBe(
      '"example" is not a URL',
    )
  })

  test('that do not do fail the run', async () => {
    await expect(request({ 'http.uri': 'example' })).rejects.toMatchObject({
      code: 'JOB_CONFIGURATION_INVALID',
    })
  })
})
