/* What the functions for Octave take of its MEX interface, which does not depend on Octave's version:
 * indices have 64 bits, and complex numbers are not in use. With it they are compiled where Octave
 * is not installed. */
#ifndef SV2_OCTAVE_MEX_H
#define SV2_OCTAVE_MEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HAVE_OCTAVE 1

typedef struct sv2_octave_value mxArray;
typedef int64_t mwSize;
typedef unsigned char mxLogical;
typedef enum { mxDOUBLE_CLASS = 6, mxUINT64_CLASS = 15 } mxClassID;
typedef enum { mxREAL = 0 } mxComplexity;

__attribute__((visibility("default"))) void mexFunction(int, mxArray **, int, const mxArray **);
const char *mexFunctionName(void);
int mexAtExit(void (*)(void));
int mexCallMATLAB(int, mxArray **, int, mxArray **, const char *);
void mexErrMsgIdAndTxt(const char *, const char *, ...);
void mexWarnMsgIdAndTxt(const char *, const char *, ...);

void *mxCalloc(size_t, size_t);
void *mxMalloc(size_t);
void mxFree(void *);
mxArray *mxCreateNumericArray(mwSize, const mwSize *, mxClassID, mxComplexity);
mxArray *mxCreateString(const char *);
mxArray *mxCreateStructMatrix(mwSize, mwSize, int, const char **);
void mxDestroyArray(mxArray *);
void mxSetFieldByNumber(mxArray *, mwSize, int, mxArray *);

mxArray *mxGetCell(const mxArray *, mwSize);
mxArray *mxGetField(const mxArray *, mwSize, const char *);
const char *mxGetClassName(const mxArray *);
const mwSize *mxGetDimensions(const mxArray *);
mwSize mxGetNumberOfDimensions(const mxArray *);
size_t mxGetNumberOfElements(const mxArray *);
size_t mxGetM(const mxArray *);
size_t mxGetN(const mxArray *);
double *mxGetPr(const mxArray *);
void *mxGetData(const mxArray *);
mxLogical *mxGetLogicals(const mxArray *);
double mxGetScalar(const mxArray *);
int mxGetString(const mxArray *, char *, mwSize);

bool mxIsCell(const mxArray *);
bool mxIsChar(const mxArray *);
bool mxIsComplex(const mxArray *);
bool mxIsDouble(const mxArray *);
bool mxIsEmpty(const mxArray *);
bool mxIsLogical(const mxArray *);
bool mxIsNumeric(const mxArray *);
bool mxIsSparse(const mxArray *);
bool mxIsStruct(const mxArray *);
bool mxIsUint64(const mxArray *);

#endif
