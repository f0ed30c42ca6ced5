/** Removes secrets from texts. */

const hidden = '***'

/** Replaces the secrets in all forms in which servers and libraries repeat them, and joins the lines. */
export function redact(text: string, secrets: readonly string[]): string {
  const forms = secrets.filter((secret) => secret !== '').flatMap(formsOf)
  // Longest first: a part of a secret must not be replaced before the whole.
  const ordered = [...new Set(forms)].toSorted((one, other) => other.length - one.length)
  const clean = ordered.reduce((rest, form) => rest.replaceAll(form, hidden), text)
  return clean.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
}

function formsOf(secret: string): string[] {
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
  ]
}

/** A shorter segment of a URL counts as a name, not as a token. */
const tokenLength = 8

/** The secret parts of a webhook's URL: everything but the host. */
export function secretsOfUrl(text: string): readonly string[] {
  if (!URL.canParse(text)) return [text]
  const { href, username, password, pathname, search, searchParams } = new URL(text)
  const words = [...pathname.split('/'), ...searchParams.values()]
  const path = pathname === '/' ? '' : pathname
  return [
    text,
    href,
    username,
    password,
    path + search,
    path,
    ...words.filter(({ length }) => length >= tokenLength),
  ]
}
