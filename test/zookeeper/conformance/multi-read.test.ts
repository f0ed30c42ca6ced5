import { permission, read, toText } from '@elasticjob/zookeeper'
import { conformance, expect, it } from './support.ts'

conformance('multiRead', () => {
  it('answers the content of nodes and the names of children, in order', async ({ zk }) => {
    const { stat } = await zk.create('/a', 'data')
    await zk.create('/p')
    await zk.create('/p/child')
    const [content, children] = await zk.multiRead([read.get('/a'), read.children('/p')])
    expect(content).toEqual({ data: Buffer.from('data'), stat })
    expect(children).toEqual({ children: ['child'] })
  })

  it('answers each failure in its place, without spoiling the others', async ({ zk }) => {
    await zk.create('/a', 'data')
    const results = await zk.multiRead([
      read.get('/missing'),
      read.get('/a'),
      read.children('/missing'),
    ])
    expect(results).toMatchObject([
      { error: { code: 'ZK_NO_NODE', path: '/missing', operation: 'get' } },
      { stat: { version: 0 } },
      { error: { code: 'ZK_NO_NODE', path: '/missing', operation: 'children' } },
    ])
  })

  it('answers a node that may not be read with its own error', async ({ zk }) => {
    const acl = [{ permissions: permission.write, id: { scheme: 'world', id: 'anyone' } }]
    await zk.create('/secret', '', { acl })
    await zk.create('/a')
    expect(await zk.multiRead([read.get('/secret'), read.get('/a')])).toMatchObject([
      { error: { code: 'ZK_NO_AUTH' } },
      { stat: { version: 0 } },
    ])
  })

  it('answers no data as no bytes', async ({ zk }) => {
    await zk.create('/a')
    expect(await zk.multiRead([read.get('/a')])).toMatchObject([{ data: Buffer.alloc(0) }])
  })

  it('sees what the same client has just written', async ({ zk }) => {
    await zk.create('/a')
    void zk.set('/a', 'new')
    const [content] = await zk.multiRead([read.get('/a')])
    expect(content !== undefined && 'data' in content && toText(content.data)).toBe('new')
  })

  it('of nothing answers nothing', async ({ zk }) => {
    expect(await zk.multiRead([])).toEqual([])
  })

  it('takes many reads', async ({ zk }) => {
    await zk.create('/a', 'data')
    const results = await zk.multiRead(Array.from({ length: 500 }, () => read.get('/a')))
    expect(results).toHaveLength(500)
    expect(results.every((result) => 'data' in result)).toBe(true)
  })
})
