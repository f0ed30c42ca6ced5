/** The meaning of a file name in a data directory. Names sort in zxid order. */
export type Name =
  /** The log from this transaction on. */
  | { readonly kind: 'log'; readonly zxid: number }
  /** The state after this transaction. */
  | { readonly kind: 'snapshot'; readonly zxid: number }
  /** A damaged file that is kept for inspection. */
  | { readonly kind: 'setAside' }
  /** A process that uses the directory. `start` distinguishes it from others with the same pid. */
  | { readonly kind: 'lock'; readonly pid: number; readonly start: string }
  /** An unfinished file. */
  | { readonly kind: 'temporary' }

const numbered = /^(log|snapshot)\.([0-9a-f]{14})$/
const setAside = /^(log|snapshot)\.[0-9a-f]{14}\.damaged(-[0-9]{1,9})?$/
const lock = /^lock\.([1-9][0-9]{0,9})\.([0-9a-f-]{1,40})$/
const temporary = /^(log|snapshot)\.[0-9a-f]{14}(\.damaged(-[0-9]{1,9})?)?\.tmp$/

export function logName(firstZxid: number): string {
  return `log.${inHex(firstZxid)}`
}

export function snapshotName(zxid: number): string {
  return `snapshot.${inHex(zxid)}`
}

/** An unused name for a damaged file. */
export function setAsideName(file: string, inUse: readonly string[]): string {
  const name = `${file}.damaged`
  if (!inUse.includes(name)) return name
  let number = 2
  while (inUse.includes(`${name}-${number}`)) number++
  return `${name}-${number}`
}

export function temporaryName(name: string): string {
  return `${name}.tmp`
}

export function lockName(pid: number, start: string): string {
  return `lock.${pid}.${start}`
}

/** Returns undefined for a name that no server creates. */
export function parseName(name: string): Name | undefined {
  const [, kind, hex] = numbered.exec(name) ?? []
  if (hex !== undefined) {
    const zxid = Number.parseInt(hex, 16)
    if (!Number.isSafeInteger(zxid)) return undefined
    return { kind: kind === 'log' ? 'log' : 'snapshot', zxid }
  }
  const [, pid, start] = lock.exec(name) ?? []
  if (start !== undefined) return { kind: 'lock', pid: Number(pid), start }
  if (setAside.test(name)) return { kind: 'setAside' }
  return temporary.test(name) ? { kind: 'temporary' } : undefined
}

/** The meanings of all names that a server created. */
export function namesOf(files: readonly string[]): Name[] {
  return files.map(parseName).filter((name) => name !== undefined)
}

/** 14 digits hold every safe integer. */
function inHex(zxid: number): string {
  return zxid.toString(16).padStart(14, '0')
}
