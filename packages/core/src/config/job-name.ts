import { message, type Message } from '../message.ts'

/** The problem of a job name; undefined if the name is valid. It becomes the name of a node in the registry. */
export function problemOfJobName(name: string): Message | undefined {
  if (name === '') return message('job-name-empty')
  if (name === '.' || name === '..') return message('job-name-reserved', { name })
  if (name.includes('/')) return message('job-name-slash')
  if (name.includes('@-@')) return message('job-name-separator')
  const forbidden = forbiddenCharacter.exec(name)?.[0]
  if (forbidden !== undefined) {
    const code = forbidden.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
    return message('job-name-character', { code })
  }
  return undefined
}

/** Control characters, surrogates, private use and the non-characters at the end of the plane. */
const forbiddenCharacter = new RegExp(
  String.raw`[\u0000-\u001f\u007f-\u009f\ud800-\uf8ff\ufff0-\uffff]`,
)
