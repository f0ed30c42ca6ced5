/** Describes a cron expression in Chinese; undefined for expressions that it cannot describe. */

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const days = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
const weekdays = ['周日', '周一', '周二', '周三', '周四', '周五', '周六']

/** Undefined if the expression is invalid, or cannot be described. */
export function chineseCron(expression: string): string | undefined {
  const fields = expression.trim().toUpperCase().split(/\s+/u)
  const [second, minute, hour, dayOfMonth, month, dayOfWeek, year = '*'] = fields
  if (fields.length < 6 || fields.length > 7 || dayOfWeek === undefined) return undefined
  const date = [
    year === '*' ? '' : part(year, (each) => `${each}年`),
    part(month ?? '', (each) => `${named(each, months, 1)}月`),
    monthDays(dayOfMonth ?? ''),
    weekDays(dayOfWeek),
  ]
  const clock = timeOfDay(second ?? '', minute ?? '', hour ?? '')
  if (clock === undefined || date.includes(undefined)) return undefined
  const words = date.filter((each) => each !== '').join('')
  if (words !== '') return `${words} ${clock}`
  return /^\d/u.test(clock) ? `每天 ${clock}` : clock
}

function isAll(field: string): boolean {
  return field === '*' || field === '?'
}

function isNumber(field: string): boolean {
  return /^\d+$/u.test(field)
}

function named(text: string, names: readonly string[], first: number): string {
  const at = names.indexOf(text)
  return at === -1 ? text : String(at + first)
}

/** Describes lists, ranges and steps of one field; empty if the field has all values. */
function part(field: string, say: (value: string) => string): string | undefined {
  if (isAll(field)) return ''
  const messageParts = field.split(',').map((each) => {
    const step = /^(?:\*|(\w+)(?:-(\w+))?)\/(\d+)$/u.exec(each)
    if (step !== null) {
      const from = step[1] === undefined ? '' : `从${say(step[1])}起`
      const until = step[2] === undefined ? '' : `至${say(step[2])}`
      return `${from}${until}每隔 ${step[3]}`
    }
    const range = /^(\w+)-(\w+)$/u.exec(each)
    if (range !== null) return `${say(range[1] ?? '')}至${say(range[2] ?? '')}`
    return /^\w+$/u.test(each) ? say(each) : undefined
  })
  return messageParts.includes(undefined) ? undefined : messageParts.join('、')
}

function monthDays(field: string): string | undefined {
  if (isAll(field)) return ''
  if (field === 'L') return '每月最后一天'
  if (field === 'LW') return '每月最后一个工作日'
  const before = /^L-(\d+)$/u.exec(field)
  if (before !== null) return `每月倒数第 ${Number(before[1]) + 1} 天`
  const near = /^(\d+)W$/u.exec(field)
  if (near !== null) return `每月最接近 ${near[1]} 日的工作日`
  const messageParts = part(field, (each) => `${each}日`)
  return messageParts === undefined ? undefined : `每月${messageParts}`
}

function weekDays(field: string): string | undefined {
  if (isAll(field)) return ''
  const say = (each: string): string => weekdays[Number(named(each, days, 1)) - 1] ?? each
  const nth = /^(\w+)#(\d)$/u.exec(field)
  if (nth !== null) return `每月第 ${nth[2]} 个${say(nth[1] ?? '')}`
  const last = /^(\w+)L$/u.exec(field)
  if (last !== null) return `每月最后一个${say(last[1] ?? '')}`
  const messageParts = part(field, say)
  return messageParts === undefined ? undefined : `每${messageParts}`
}

function timeOfDay(second: string, minute: string, hour: string): string | undefined {
  const two = (text: string): string => text.padStart(2, '0')
  if (isNumber(second) && isNumber(minute) && isNumber(hour)) {
    return `${two(hour)}:${two(minute)}:${two(second)}`
  }
  const atHour = part(hour, (each) => `${each}点`)
  const atMinute = part(minute, (each) => `${each}分`)
  const atSecond = part(second, (each) => `${each}秒`)
  if (atHour === undefined || atMinute === undefined || atSecond === undefined) return undefined
  const every = (field: string): string | undefined => /^(?:\*|0)\/(\d+)$/u.exec(field)?.[1]
  const prefix = atHour === '' ? '' : `${atHour} `
  if (isAll(minute)) {
    const step = every(second)
    if (isAll(second)) return `${prefix}每秒`
    if (step !== undefined) return `${prefix}每 ${step} 秒`
    return `${prefix}每分钟的第 ${atSecond}`
  }
  const tail = second === '0' ? '' : ` 第 ${atSecond}`
  const minutes = every(minute)
  if (minutes !== undefined) return `${prefix}每 ${minutes} 分钟${tail}`
  const hours = every(hour)
  if (hours !== undefined) return `每 ${hours} 小时的第 ${atMinute}${tail}`
  return `${atHour === '' ? '每小时的' : prefix}第 ${atMinute}${tail}`
}
