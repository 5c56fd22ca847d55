import {
  accessKeyIdInput,
  createAccessKeyInput,
  deleteAccessKeyInput,
  disableAccessKeyInput,
  updateAccessKeyInput,
} from "@stashlight/contracts/access-key";
import {
  createAccessKey,
  deleteAccessKey,
  disableAccessKey,
  listAccessKeys,
  rotateAccessKey,
  updateAccessKey,
} from "@stashlight/services/access-key";
import { mutationWith, query, router } from "../trpc.ts";

export const accessKeyRouter = router({
  list: query(listAccessKeys),
  create: mutationWith(createAccessKeyInput, createAccessKey),
  update: mutationWith(updateAccessKeyInput, updateAccessKey),
  rotate: mutationWith(accessKeyIdInput, rotateAccessKey),
  disable: mutationWith(disableAccessKeyInput, disableAccessKey),
  delete: mutationWith(deleteAccessKeyInput, deleteAccessKey),
});
