/** Labels of fields that differ from their names in words. */
const NAMES: Record<string, string> = {
  accept_terms_and_conditions: 'Terms and conditions',
  admins: 'New administrator',
  daily_message_cap: 'Daily message limit',
  email: 'E-mail',
  llj_categories: 'Categories',
  place: 'Where to go',
  sms_opt_in: 'Text messages',
  sub_tenant_id: 'Where',
  timezone: 'Time zone',
  user_general_roles: 'Role',
}

/** `customer_type` -> "Customer type"; `admins[0].email` -> "New administrator 1, e-mail" */
export function fieldName(path: string): string {
  const words = path.split(/[.[\]]+/).filter(Boolean)
  return words.reduce((said, word) => {
    if (/^\d+$/.test(word)) return `${said} ${Number(word) + 1}`
    const name = NAMES[word] ?? asWords(word)
    return said === '' ? name : `${said}, ${name.charAt(0).toLowerCase()}${name.slice(1)}`
  }, '')
}

function asWords(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
