import { runInNewContext } from 'node:vm'

const refuse = (): never => {
  throw new Error('not even that')
}

const everyTrap = new Proxy({}, { get: () => refuse }) as ProxyHandler<object>

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

function withGetters(target: object, ...keys: readonly string[]): object {
  for (const key of keys) Object.defineProperty(target, key, { get: refuse })
  return target
}

function circular(): Error {
  const error = new Error('outer')
  error.cause = new Error('inner', { cause: error })
  return error
}

/** Values that break `String(value)`, `value instanceof Error` or `value.message`. */
export const hostile: Readonly<Record<string, () => unknown>> = {
  'an object without a prototype': () => Object.create(null) as unknown,
  'an object whose toString throws': () => ({ toString: refuse }),
  'an object whose toString and inspection throw': () => ({
    toString: refuse,
    [Symbol.for('nodejs.util.inspect.custom')]: refuse,
  }),
  'an object whose toString gives an object': () => ({ toString: () => ({}), valueOf: () => ({}) }),
  'a proxy all of whose traps throw': () => new Proxy({}, everyTrap),
  'a proxy of a function all of whose traps throw': () => new Proxy(() => {}, everyTrap),
  'a proxy of an error all of whose traps throw': () => new Proxy(new Error('x'), everyTrap),
  'a revoked proxy': () => revoked({}),
  'a revoked proxy of a function': () => revoked(() => {}),
  'an error whose getters throw': () =>
    withGetters(new Error('x'), 'stack', 'message', 'name', 'code', 'cause'),
  'an error whose message is an object without a text': () =>
    Object.assign(new Error('x'), { message: Object.create(null) as unknown, name: Symbol('n') }),
  'a frozen error': () => Object.freeze(new Error('x')),
  'an error with a circular cause': circular,
  'an error whose cause is a revoked proxy': () => new Error('x', { cause: revoked({}) }),
  'an error of another realm': () => runInNewContext('new TypeError("x")') as unknown,
  'an aggregate of hostile errors': () => new AggregateError([revoked({}), Object.create(null)]),
  'a symbol': () => Symbol('x'),
  'a bigint': () => 10n ** 30n,
  undefined: () => undefined,
  null: () => null,
  'an empty string': () => '',
}
