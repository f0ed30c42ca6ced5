import { part, toText, type WatchEvent } from '@elasticjob/zookeeper'
import { Recorder } from './recorder.ts'
import { conformance, expect, it } from './support.ts'

const names = ['größe', 'имя', '名前', 'ชื่อ', 'اسم', '¡ñ!', 'e\u0301', 'ﬁn', 'a\u00a0b'] as const

conformance('names beyond ASCII', () => {
  it.for(names)('come back as they were given: %s', async (name, { zk }) => {
    expect((await zk.create(`/${name}`)).path).toBe(`/${name}`)
    expect((await zk.children('/')).children).toEqual([name])
    expect(await zk.exists(`/${name}`)).toBeDefined()
  })

  it('are not normalized: composed and decomposed are two names', async ({ zk }) => {
    await zk.create('/\u00e9', 'composed')
    await zk.create('/e\u0301', 'decomposed')
    expect(toText((await zk.get('/\u00e9')).data)).toBe('composed')
    expect(toText((await zk.get('/e\u0301')).data)).toBe('decomposed')
  })

  it('come back in sequential names', async ({ zk }) => {
    const { path } = await zk.create('/名-', '', { sequential: true })
    expect(path).toMatch(/^\/名-\d{10}$/)
  })

  it('come back from transactions', async ({ zk }) => {
    expect(await zk.multi([part.create('/größe')])).toEqual([{ path: '/größe' }])
  })

  it('come back in events', async ({ zk }) => {
    await zk.create('/größe')
    const events = new Recorder<WatchEvent>()
    await zk.get('/größe', { watch: events.record })
    await zk.set('/größe', '')
    expect(await events.first()).toEqual({ type: 'dataChanged', path: '/größe' })
  })

  it('come back in errors', async ({ zk }) => {
    await expect(zk.get('/größe')).rejects.toMatchObject({ path: '/größe' })
  })

  it('may be the namespace', async ({ zk, clients, root }) => {
    await zk.create('/größe')
    const inside = await clients.connect({ chroot: `${root}/größe` })
    await inside.create('/имя', 'within')
    await zk.catchUp()
    expect(toText((await zk.get('/größe/имя')).data)).toBe('within')
  })
})

conformance('text beyond ASCII', () => {
  it.for(['größe', '名前', '👩‍🚀 𝒵', '\u0000 and \uffff', '\ud83d\ude00'])(
    'comes back as it was given: %s',
    async (text, { zk }) => {
      await zk.create('/a', text)
      expect(toText((await zk.get('/a')).data)).toBe(text)
    },
  )

  it('is measured in bytes', async ({ zk }) => {
    expect((await zk.create('/a', '名')).stat.dataLength).toBe(3)
  })
})
