// @vitest-environment happy-dom
/** @jsxImportSource preact */
import { render, type VNode } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { ApiError } from '../../ui/src/api/api-error.ts'
import { Button } from '../../ui/src/components/button.tsx'
import { DataTable } from '../../ui/src/components/data-table.tsx'
import { groupByOwner } from '../../ui/src/components/group-by-owner.ts'
import { later } from '../../ui/src/components/later.tsx'
import { LogViewer } from '../../ui/src/components/log-viewer.tsx'
import { RunStrip } from '../../ui/src/components/run-strip.tsx'
import { ShardMap } from '../../ui/src/components/shard-map.tsx'
import { dismiss, tell, toasts, Toasts } from '../../ui/src/components/toasts.tsx'
import { language, setLanguage, t } from '../../ui/src/i18n/i18n.ts'
import { Trouble } from '../../ui/src/pages/trouble.tsx'
import { instance, jobDetail, shard } from './support/examples.ts'

const page = document.createElement('div')
document.body.append(page)

function draw(element: Parameters<typeof render>[0]): void {
  void act(() => render(element, page))
}

beforeAll(() => setLanguage('en'))
afterEach(() => draw(null))

describe('a button', () => {
  it('that cannot be pressed says why, and does nothing', () => {
    const onClick = vi.fn<() => void>()
    draw(
      <Button reason="nobody is there" onClick={onClick}>
        Run
      </Button>,
    )
    const button = page.querySelector('button')
    button?.click()
    expect(onClick).not.toHaveBeenCalled()
    expect(button?.getAttribute('aria-disabled')).toBe('true')
    expect(button?.title).toBe('nobody is there')
    expect(button?.textContent).toContain('nobody is there')
  })
})

describe('a part that is fetched later', () => {
  it('is awaited, asked for again when it did not come, and fetched once', async () => {
    const load = vi
      .fn<() => Promise<(props: { name: string }) => VNode>>()
      .mockRejectedValueOnce(new Error('the server is gone'))
      .mockResolvedValue(({ name }) => <p>hello {name}</p>)
    const Part = later(load)
    draw(<Part name="you" />)
    expect(page.querySelector('.loading')).not.toBeNull()
    await vi.waitFor(() => expect(page.textContent).toContain('the server is gone'))
    page.querySelector('button')?.click()
    await vi.waitFor(() => expect(page.textContent).toBe('hello you'))
    draw(null)
    draw(<Part name="me" />)
    expect(page.textContent).toBe('hello me')
    expect(load).toHaveBeenCalledTimes(2)
  })
})

describe('what could not be fetched', () => {
  it('says why, unless it is who asks', () => {
    const refused = 'port 80 is not listed'
    draw(<Trouble error={new ApiError(403, 'CONSOLE_DUMP_REFUSED', refused)} />)
    expect(page.textContent).toContain(refused)
    draw(<Trouble error={new ApiError(403, 'CONSOLE_FORBIDDEN', 'guest looks')} />)
    expect(page.textContent).toContain(t('state.noPermission'))
    draw(<Trouble error={new ApiError(409, 'CONSOLE_NO_SOURCE', 'none')} />)
    expect(page.textContent).toContain(t('history.noSource'))
  })
})

describe('a table', () => {
  const rows = Array.from({ length: 5000 }, (_, index) => ({ name: `job-${index}` }))
  const columns = [
    { key: 'name', title: 'Name', sortable: true, cell: (row: { name: string }) => row.name },
  ]

  it('of thousands has only some of them in the document', () => {
    draw(<DataTable label="Jobs" columns={columns} rows={rows} keyOf={({ name }) => name} />)
    expect(page.querySelectorAll('tbody tr:not(.gap)').length).toBeLessThan(100)
    expect(page.querySelector('table')?.getAttribute('aria-rowcount')).toBe('5001')
  })

  it('is sorted by its headings, the other way the second time', () => {
    const onSort = vi.fn<(sorting: object) => void>()
    const table = (order: 'asc' | 'desc') => (
      <DataTable
        label="Jobs"
        columns={columns}
        rows={rows}
        keyOf={({ name }) => name}
        sorting={{ key: 'name', order }}
        onSort={onSort}
      />
    )
    draw(table('asc'))
    expect(page.querySelector('th')?.getAttribute('aria-sort')).toBe('ascending')
    page.querySelector<HTMLButtonElement>('th button')?.click()
    expect(onSort).toHaveBeenCalledWith({ key: 'name', order: 'desc' })
  })
})

describe('the shard map', () => {
  const job = jobDetail({
    instances: [instance('10.0.0.2@-@2'), instance('10.0.0.1@-@1', { leads: true })],
    shards: [
      shard(0, { owner: '10.0.0.1@-@1' }),
      shard(1, { owner: '10.0.0.9@-@9', ownerOnline: false, state: 'owner-away' }),
      shard(2, { owner: '10.0.0.9@-@9', failover: '10.0.0.1@-@1', state: 'taken-over' }),
      shard(3, { state: 'no-owner', parameter: '<b>x</b>' }),
    ],
  })

  it('groups shards by who has them: the living first, nobody last', () => {
    const groups = groupByOwner(job).map(({ owner, shards }) => [
      owner,
      shards.map(({ shard: shardingItem }) => shardingItem),
    ])
    expect(groups).toEqual([
      ['10.0.0.1@-@1', [0, 2]],
      ['10.0.0.2@-@2', []],
      ['10.0.0.9@-@9', [1]],
      [undefined, [3]],
    ])
  })

  it('shows texts of the registry as texts, and tells which shard was chosen', () => {
    const onChoose = vi.fn<(shard: number) => void>()
    draw(<ShardMap job={job} chosen={0} onChoose={onChoose} />)
    expect(page.querySelector('.tile b b')).toBeNull()
    expect(page.textContent).toContain('<b>x</b>')
    page.querySelector<HTMLButtonElement>('[data-shard="2"]')?.click()
    expect(onChoose).toHaveBeenCalledWith(2)
    expect(page.querySelector('[data-shard="0"]')?.getAttribute('aria-pressed')).toBe('true')
  })
})

describe('the strip of recent runs', () => {
  it('says in words what it shows in colours', () => {
    const runs = [
      { runId: 'a', shard: 0, begin: 0, end: 10, outcome: 'success' },
      { runId: 'b', shard: 0, begin: 20, end: 30, outcome: 'failure' },
    ] as const
    draw(<RunStrip runs={runs} />)
    expect(page.querySelector('[role=img]')?.getAttribute('aria-label')).toBe(
      'The last 2 runs, 1 of them failed',
    )
    expect(page.querySelectorAll('i.bad').length).toBe(1)
  })
})

describe('a log', () => {
  const lines = [
    { sequence: 0, time: 0, stream: 'info', text: 'one\u001B[31m' },
    { sequence: 1, time: 1, stream: 'stderr', text: 'two' },
  ]

  it('shows control characters instead of obeying them', () => {
    draw(<LogViewer lines={lines} live={false} />)
    expect(page.textContent).toContain('one\\u001b[31m')
  })

  it('is searched', () => {
    draw(<LogViewer lines={lines} live={false} />)
    const field = page.querySelector('input')
    void act(() => {
      if (field === null) return
      field.value = 'TWO'
      field.dispatchEvent(new Event('input', { bubbles: true }))
    })
    expect([...page.querySelectorAll('.log-text')].map((each) => each.textContent)).toEqual(['two'])
  })
})

describe('what is told', () => {
  it('stays until it was read if it went wrong', () => {
    vi.useFakeTimers()
    tell('good', 'done')
    tell('bad', 'failed', ['why'])
    draw(<Toasts />)
    vi.advanceTimersByTime(60_000)
    expect(toasts.value.map(({ title }) => title)).toEqual(['failed'])
    dismiss(toasts.value[0]?.id ?? 0)
    expect(toasts.value).toEqual([])
    vi.useRealTimers()
  })
})

describe('the language', () => {
  it('is switched while the page is open', async () => {
    expect(t('nav.jobs')).toBe('Jobs')
    await setLanguage('zh')
    expect(t('nav.jobs')).toBe('作业')
    expect(document.documentElement.lang).toBe('zh-CN')
    await setLanguage('en')
    expect(language.value).toBe('en')
  })
})
