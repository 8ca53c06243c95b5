/** The contract of the identity port, against `cognito-local` and against the wire formats of Cognito itself. */
import {
  AdminDisableUserCommand,
  AdminUpdateUserAttributesCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { afterAll, beforeAll } from 'vitest'
import { describeIdentity, PASSWORD } from '#tests/api/identity/identity-contract.ts'
import { CODE, type CognitoLocal, GAPS, startCognitoLocal } from '#tests/fakes/cognito-local.ts'
import { type CognitoWire, startCognitoWire, WIRE_POOL } from '#tests/fakes/cognito-wire.ts'
import { createWorld, type World } from './auth-world.ts'
import { addCognitoPool, callCognito } from './cognito-world.ts'

let world: World
let local: CognitoLocal
let wire: CognitoWire
let local_pool: string

beforeAll(async () => {
  world = await createWorld()
  local = await startCognitoLocal()
  const its = await local.createPool({ MfaConfiguration: 'OPTIONAL' })
  local_pool = its.id
  await addCognitoPool(world, { ...its, id: 'local', settings: { api_endpoint: local.endpoint } })
  wire = await startCognitoWire()
  const { issuer, url } = wire
  const { client_id } = WIRE_POOL
  const settings = { api_endpoint: url }
  await addCognitoPool(world, { id: 'wire', issuer, client_id, client_secret: null, settings })
})
afterAll(async () => {
  await wire?.stop()
  await local?.stop()
  await world?.close()
})

let people = 0
const somebody = () => {
  people += 1
  return `person-${people}@acme.example`
}
const never = () => Promise.reject(new Error('It cannot.'))

describeIdentity(
  'cognito-local',
  () => ({
    caller: () => callCognito(world, 'local'),
    async person() {
      const username = somebody()
      await local.createUser(local_pool, username, PASSWORD)
      return { username, password: PASSWORD }
    },
    async invited() {
      const username = somebody()
      await local.createUser(local_pool, username)
      return { username, temporary_password: 'Temporary-1' }
    },
    async unverified() {
      const username = somebody()
      await local.createUser(local_pool, username, PASSWORD)
      const UserAttributes = [
        { Name: 'email', Value: username },
        { Name: 'email_verified', Value: 'false' },
      ]
      await local.admin.send(
        new AdminUpdateUserAttributesCommand({ UserPoolId: local_pool, Username: username, UserAttributes }),
      )
      return { username, password: PASSWORD }
    },
    texted: never,
    withoutApp: never,
    async disable(Username) {
      await local.admin.send(new AdminDisableUserCommand({ UserPoolId: local_pool, Username }))
    },
    requireReset: never,
    codeFor: async () => CODE,
    nextStep: async () => {},
  }),
  GAPS,
)

describeIdentity('the wire formats of Cognito', () => {
  const person = async (more: object = {}, attributes: Record<string, string> = {}) => {
    const username = somebody()
    wire.person(username, { password: PASSWORD, ...more }, attributes)
    return { username, password: PASSWORD }
  }
  const change = async (username: string, more: object) =>
    void Object.assign(wire.users.get(username) ?? {}, more)
  return {
    caller: () => callCognito(world, 'wire'),
    person,
    async invited() {
      const { username, password } = await person({ status: 'FORCE_CHANGE_PASSWORD' })
      return { username, temporary_password: password }
    },
    unverified: () => person({}, { email_verified: 'false' }),
    async texted() {
      const phone = '+15551111111'
      return { ...(await person({ mfa: 'SMS_MFA' }, { phone_number: phone })), phone }
    },
    withoutApp: () => person({ mfa: 'SETUP' }),
    disable: (username) => change(username, { enabled: false }),
    requireReset: (username) => change(username, { status: 'RESET_REQUIRED' }),
    codeFor: async () => CODE,
    nextStep: async () => {},
  }
})
