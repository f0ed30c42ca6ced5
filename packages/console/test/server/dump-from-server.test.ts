import { createServer, type Socket } from 'node:net'

import { expect, it, onTestFinished } from 'vitest'

import { Shop } from '../support/shop.ts'

/** A port that nobody has: the job names it before its instance opens it. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A job whose instance answers on a port of its own. */
async function monitored(): Promise<{ shop: Shop; port: number }> {
  const shop = await Shop.open()
  onTestFinished(() => shop[Symbol.asyncDispose]())
  const worker = await shop.work('127.0.0.1')
  const port = await freePort()
  const listening = new Promise<void>((resolve) => {
    worker.on('dump:listening', () => resolve())
  })
  await shop.schedule({
    jobName: 'orders',
    props: { 'monitor.port': String(port), 'smtp.password': 'hidden' },
  })
  await listening
  await shop.shows('orders', ({ status }) => status === 'OK')
  return { shop, port }
}

it('asks a living instance on the port that the registry lists, and tells what it says', async () => {
  const { shop, port } = await monitored()
  const { status, headers, body } = await shop.root.post(
    `/servers/127.0.0.1/${port}/jobs/orders/dump`,
  )
  expect(status).toBe(200)
  expect(headers.get('content-type')).toContain('text/plain')
  expect(body).toContain('/orders/config | ')
  expect(body).toContain(`monitor.port: '${port}'`)
  expect(body).not.toContain('hidden')
  const audit = await shop.root.get('/audit?limit=1')
  expect(audit.body).toMatchObject({
    rows: [{ action: 'dumpFromServer', server: '127.0.0.1', jobName: 'orders', outcome: 'done' }],
  })
})

it('asks nobody else: not another port, another address, or for another job', async () => {
  const { shop, port } = await monitored()
  await shop.schedule({ jobName: 'stock' })
  await shop.shows('stock', ({ status }) => status === 'OK')
  const calls: string[] = []
  const stranger = createServer((socket) => {
    calls.push('stranger')
    socket.end()
  })
  await new Promise<void>((resolve) => void stranger.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void stranger.close())
  const { port: strange } = stranger.address() as { port: number }
  for (const path of [
    `/servers/127.0.0.1/${strange}/jobs/orders/dump`,
    `/servers/127.0.0.2/${port}/jobs/orders/dump`,
    `/servers/localhost/${port}/jobs/orders/dump`,
    `/servers/127.0.0.1/${port}/jobs/stock/dump`,
  ]) {
    const { status, body } = await shop.root.post(path)
    expect(status).toBe(403)
    expect(body).toMatchObject({ error: { code: 'CONSOLE_DUMP_REFUSED' } })
  }
  expect(calls).toEqual([])
  const { status } = await shop.guest.post(`/servers/127.0.0.1/${port}/jobs/orders/dump`)
  expect(status).toBe(403)
})

it('says why what is behind the port does not answer, and reads no more than it has to', async () => {
  // Another process has the port before the instance does: the registry lists it all the same.
  let runAction: (socket: Socket) => void = () => {}
  const stranger = createServer((socket) => {
    socket.on('error', () => {})
    runAction(socket)
  })
  await new Promise<void>((resolve) => void stranger.listen(0, '127.0.0.1', resolve))
  const { port } = stranger.address() as { port: number }
  const shop = await Shop.open()
  onTestFinished(() => shop[Symbol.asyncDispose]())
  await shop.work('127.0.0.1')
  await shop.schedule({ jobName: 'orders', props: { 'monitor.port': String(port) } })
  await shop.shows('orders', ({ status }) => status === 'OK')
  const ask = async (): Promise<unknown> => {
    const { status, body } = await shop.root.post(`/servers/127.0.0.1/${port}/jobs/orders/dump`)
    expect(status).toBe(502)
    return body
  }
  runAction = (socket) => void socket.write('x'.repeat(5 * 1024 * 1024))
  expect(await ask()).toMatchObject({
    error: { code: 'CONSOLE_DUMP_FAILED', message: expect.stringContaining('longer') as string },
  })
  runAction = (socket) => void socket.resetAndDestroy()
  expect(await ask()).toMatchObject({ error: { code: 'CONSOLE_DUMP_FAILED' } })
  await new Promise((resolve) => stranger.close(resolve))
  expect(await ask()).toMatchObject({
    error: { message: expect.stringContaining('ECONNREFUSED') as string },
  })
})
