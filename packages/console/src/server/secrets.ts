/** What of a configuration only root may see. */
import type { JobConfiguration } from '../contract/configuration.ts'

const names = /password|secret|token|digest|credential|webhook/i
const mask = '******'

function isSecretName(name: string): boolean {
  return names.test(name)
}

export function maskProps(props: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(props).map(([key, value]) => [key, isSecretName(key) ? mask : value]),
  )
}

/** The same in the text that they stand in, wherever they do. */
export function maskText(text: string, { props }: Pick<JobConfiguration, 'props'>): string {
  let masked = text
  for (const [key, value] of Object.entries(props)) {
    if (isSecretName(key) && value !== '') masked = masked.replaceAll(value, mask)
  }
  return masked
}

/** Any value, for a log: what stands under such a name is not written down. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      isSecretName(key) && typeof inner === 'string' ? mask : withoutSecrets(inner),
    ]),
  )
}
