import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { PrometheusExporter } from '../../src/index.ts'

let exporter: PrometheusExporter

beforeEach(async () => {
  exporter = await PrometheusExporter.create()
})

afterEach(() => exporter.stop())

describe('MetricsServer', () => {
  it('listens on loopback, and serves the metrics at one path', async () => {
    const { url } = await exporter.listen({ port: 0 })
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
    expect(await (await fetch(`${url}?name=all`)).text()).toContain('# TYPE elasticjob_runs_total')
    const elsewhere = await fetch(new URL('/', url))
    expect([elsewhere.status, await elsewhere.text()]).toEqual([
      404,
      'The metrics are at /metrics.\n',
    ])
  })

  it('reports a port that is in use', async () => {
    const { port } = await exporter.listen({ port: 0 })
    await expect(exporter.listen({ port })).rejects.toMatchObject({
      code: 'METRICS_PORT_TAKEN',
      message: expect.stringContaining(String(port)) as string,
    })
  })

  it('reports an address of another machine', async () => {
    await expect(exporter.listen({ port: 0, host: '192.0.2.1' })).rejects.toMatchObject({
      code: 'METRICS_NOT_LISTENING',
    })
  })

  it('is closed with its exporter', async () => {
    const { url } = await exporter.listen({ port: 0 })
    await exporter.stop()
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  })
})
