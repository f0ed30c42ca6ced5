/**
 * Detects secrets, and masks them in text that leaves the process: to a browser, a terminal, a log, a history, a chat.
 * This is the only list of names; `config/mask-configuration.ts` applies it to parsed configurations.
 */

/** Replaces a secret. */
export const secretMask = '******'

const states = [
  'pass(?:word|wd|phrase|code)',
  'pwd',
  'secret',
  'token',
  'credential',
  'webhook',
  'digest',
  'authorization',
  'cookie',
  '(?:api|access|private|signing|encryption)[._-]?key',
].join('|')
const secretKey = new RegExp(states, 'i')

/** Whether the value of a key is a secret: `email.password`, `webhook.token`, `api.key`. */
export function isSecretKey(key: string): boolean {
  return secretKey.test(key)
}

/** Anchored to the start of a name, so that the time for a long text stays proportional to its length. */
const name = String.raw`(?<![\w.-])([\w.-]+)`
const secretValue = String.raw`(?:(?:Bearer|Basic|Token)\s+)?(?:"(?:[^"\\]|\\.){0,4096}"?|'[^']{0,4096}'?|[^\s&;,"'}\])]+)`

/** Secrets that are recognizable by the form of the text. Each replacement keeps the text before the secret. */
const forms: readonly (readonly [found: RegExp, shown: string])[] = [
  // The part of a URL before its host. A password may contain an "@": the last one counts.
  [/\b([a-z][a-z0-9+.-]{0,31}:\/\/)[^\s/?#"'<>]{0,512}@/gi, `$1${secretMask}@`],
  // A password with an unescaped "/", "?" or "#": the text after the first colon is not a port.
  [
    /\b([a-z][a-z0-9+.-]{0,31}:\/\/)[^\s/?#@:"'<>]{1,128}:(?!\d+(?:[\s/?#,"'<>]|$))[^\s"'<>]{0,512}@/gi,
    `$1${secretMask}@`,
  ],
  [/\b(jdbc:oracle:\w{1,16}:)[^\s@/]{1,128}\/[^\s@]{1,512}@/gi, `$1${secretMask}@`],
  [/([?&](?:key|sig|signature|sign|auth|code)=)[^\s&#"'<>]+/gi, `$1${secretMask}`],
  [/(\s(?:-u|--user)[\s=]?)[^\s:]{1,128}:\S+/g, `$1${secretMask}`],
  [/\b((?:Bearer|Basic)\s+)[\w+/=.~-]{8,}/gi, `$1${secretMask}`],
]

/** Values after a name: `password=…`, `DB_PASSWORD='…'`, JSON's `"password": "…"`, `--password …`. */
const named: readonly RegExp[] = [
  new RegExp(String.raw`(${name}\s{0,8}=\s{0,8})${secretValue}`, 'gi'),
  new RegExp(
    String.raw`("([\w.-]{1,128})"\s{0,8}:\s{0,8})(?:"(?:[^"\\]|\\.){0,4096}"?|[^\s,}\]]+)`,
    'gi',
  ),
  new RegExp(String.raw`((?<!\S)(--[\w-]+)\s{1,8})(?!-)[^\s"']+`, 'gi'),
]
const behindColon = new RegExp(
  String.raw`(${name}["']?\s{0,8}:\s{0,8})(?!\/\/)${secretValue}`,
  'gi',
)

function maskNamed(text: string, found: RegExp): string {
  return text.replaceAll(found, (whole, before: string, key: string) => {
    if (!isSecretKey(key) || whole.includes(secretMask)) return whole
    return whole.startsWith('"') ? `${before}"${secretMask}"` : `${before}${secretMask}`
  })
}

/** Most texts contain no secret: one test is enough for them. */
const suspicious = new RegExp(String.raw`${states}|@|[?&]|\s-u|bearer|basic`, 'i')

/**
 * Masks the secrets that are recognizable by their form: credentials in URLs anywhere in the text, and values after
 * names of secrets.
 */
export function maskText(text: string): string {
  if (!suspicious.test(text)) return text
  const masked = forms.reduce((rest, [found, shown]) => rest.replaceAll(found, shown), text)
  return named.reduce(maskNamed, masked)
}

/** Like `maskText`, for a setting. A setting is free text, so a colon may also separate a name from its value. */
export function maskSetting(text: string): string {
  return suspicious.test(text) ? maskNamed(maskText(text), behindColon) : text
}

/** Masks all texts of a JSON value, but not the keys of objects. */
export function maskTexts<T>(value: T): T {
  if (typeof value === 'string') return maskText(value) as T
  if (Array.isArray(value)) return value.map(maskTexts) as T
  if (
    typeof value !== 'object' ||
    value === null ||
    Object.getPrototypeOf(value) !== Object.prototype
  ) {
    return value
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, maskTexts(inner)]),
  ) as T
}
