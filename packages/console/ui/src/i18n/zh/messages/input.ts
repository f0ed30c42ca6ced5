/** What the schemas of the server say of values that come from fields of the page. */
export const input: Readonly<Record<string, string>> = {
  'Too big: expected string to have <={} characters': '最多 {0} 个字符',
  'Too big: expected array to have <={} items': '最多 {0} 项',
  'Invalid key in record': '属性的名称过长',
  'Invalid input: expected number, received null': '必须是数字',
}
