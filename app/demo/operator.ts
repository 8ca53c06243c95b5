/** The demo's operator of the platform. */

export const OPERATOR = { name: 'Liftwell', domain: 'liftwell.example' }
export const SUPER_ADMIN = {
  first_name: 'Sofia',
  last_name: 'Lindqvist',
  email: 'sofia@liftwell.example',
  job_title: 'Platform operations',
}
