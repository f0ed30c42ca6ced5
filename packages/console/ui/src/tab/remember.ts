/** What the browser keeps for its user. A browser that keeps nothing (private, blocked) is fine. */
type Name = 'language' | 'theme' | 'registry' | 'data-source'

export function remembered(name: Name, storage: Storage | undefined = local()): string | undefined {
  try {
    return storage?.getItem(`elasticjob.${name}`) ?? undefined
  } catch {
    return undefined
  }
}

export function remember(name: Name, value: string, storage: Storage | undefined = local()): void {
  try {
    storage?.setItem(`elasticjob.${name}`, value)
  } catch {
    // It holds until the page is left.
  }
}

function local(): Storage | undefined {
  try {
    return localStorage
  } catch {
    return undefined
  }
}

/** What belongs to this tab alone. */
export function tabStorage(): Storage | undefined {
  try {
    return sessionStorage
  } catch {
    return undefined
  }
}
