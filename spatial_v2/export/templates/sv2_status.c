/* Sentences on a status. */
#include "sv2_internal.h"

static const char *const MESSAGES[] = {
    "done",
    "a pointer is null",
    "the workspace is smaller than the function needs",
    "a result is not finite: an argument is not, or a quaternion is zero",
    "the file cannot be read",
    "this is no model file",
    "the model file is of another version of the library",
    "the model file is cut short or damaged",
    "the model in the file is not valid",
    "the memory does not suffice",
    "the kernel failed",
    "the function does not support the model's armature, damping, friction, springs, rotors or coupled joints, or the constraint",
    "there is no result of this number",
    "a result overlaps an argument or another result",
    "there is no body, joint or frame of this name or number",
    "a value is not allowed: it is not finite, is negative, or is no transform, inertia, axes or rows",
    "the processor has none of the levels that the library is for: see SV2_LEVEL, export with --level",
    "an argument or result has another size than the model needs",
    "constraint rows are dependent, nearly so, or zero",
    "a body without inertia moves freely, so that accelerations are not determined",
};

const char *sv2_message(int status) {
    const int count = (int)(sizeof MESSAGES / sizeof *MESSAGES);
    return status >= 0 && status < count ? MESSAGES[status] : "unknown status";
}
