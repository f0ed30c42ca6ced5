/** Values in the browser's storage. A browser without storage (private mode, blocked) works as well. */
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
    // The value lasts until the page is left.
  }
}

function local(): Storage | undefined {
  try {
    return localStorage
  } catch {
    return undefined
  }
}

/** Values of this tab only. */
export function tabStorage(): Storage | undefined {
  try {
    return sessionStorage
  } catch {
    return undefined
  }
}
