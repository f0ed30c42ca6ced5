// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { matchPath, path, query, route, startRouting } from '../../ui/src/state/address.ts'

beforeAll(() => startRouting())
afterEach(() => {
  document.body.replaceChildren()
  vi.restoreAllMocks()
})

describe('the path of a page', () => {
  it.each([
    ['/', '/', {}],
    ['/jobs/:name', '/jobs/a', { name: 'a' }],
    ['/jobs/:name/:tab', '/jobs/a%2F..%20b/doctor', { name: 'a/.. b', tab: 'doctor' }],
    ['/jobs/:name', '/jobs', undefined],
    ['/jobs/:name', '/jobs/a/b', undefined],
    ['/jobs', '/servers', undefined],
    ['/jobs/:name', '/jobs/%E0%A4%A', undefined],
  ])('%s fits %s with %o', (pattern, given, params) => {
    expect(matchPath(pattern, given)).toEqual(params)
  })
})

describe('the address', () => {
  it('is changed with and without an entry in the history', () => {
    route('/jobs')
    const entries = history.length
    route('/servers?search=a%20b')
    expect([path.value, query.value, history.length]).toEqual([
      '/servers',
      { search: 'a b' },
      entries + 1,
    ])
    route('/servers/', true)
    expect([path.value, query.value, history.length]).toEqual(['/servers', {}, entries + 1])
  })

  it('of another page shows its top, another filter stays where it is', () => {
    const scrolled = vi.spyOn(globalThis, 'scrollTo').mockReturnValue()
    route('/jobs')
    scrolled.mockClear()
    route('/jobs?search=a')
    expect(scrolled).not.toHaveBeenCalled()
    route('/servers')
    expect(scrolled).toHaveBeenCalledWith(0, 0)
  })

  it('is read again when the reader goes back', () => {
    route('/jobs')
    history.replaceState(null, '', '/audit')
    dispatchEvent(new PopStateEvent('popstate'))
    expect(path.value).toBe('/audit')
  })
})

describe('a link', () => {
  /** Whether the browser was kept from opening it itself. */
  function click(attributes: Record<string, string>, how: MouseEventInit = {}): boolean {
    const link = document.createElement('a')
    for (const [name, value] of Object.entries(attributes)) link.setAttribute(name, value)
    const inner = document.createElement('span')
    link.append(inner)
    document.body.append(link)
    const event = new MouseEvent('click', { bubbles: true, cancelable: true, ...how })
    inner.dispatchEvent(event)
    return event.defaultPrevented
  }

  it('within the page is followed without a reload', () => {
    route('/jobs')
    expect(click({ href: '/servers?view=instances' })).toBe(true)
    expect([path.value, query.value]).toEqual(['/servers', { view: 'instances' }])
  })

  it.each([
    [{ href: 'https://example.org/servers' }, {}],
    [{ href: '/servers', target: '_blank' }, {}],
    [{ href: '#content' }, {}],
    [{ href: '/servers' }, { ctrlKey: true }],
    [{ href: '/servers' }, { button: 1 }],
  ])('is left to the browser: %o %o', (attributes, how) => {
    route('/jobs')
    // Of the browser, only what it would do is wanted here.
    addEventListener('click', (event) => event.preventDefault(), { once: true, capture: true })
    click(attributes, how)
    expect(path.value).toBe('/jobs')
  })
})
