# ruff: noqa: F403, I001 - names as `public_names.py` finds them, for type checkers and editors
import derivatives as derivatives
import tensor_sva as tensor_sva
from derivatives import *
from spatial_v2 import (
    configuration as configuration,
    constraints as constraints,
    contact as contact,
    control as control,
    couplings as couplings,
    dynamics as dynamics,
    exceptions as exceptions,
    frames as frames,
    identification as identification,
    inertia as inertia,
    io as io,
    joints as joints,
    mechanisms as mechanisms,
    model as model,
    models as models,
    orientation as orientation,
    packed as packed,
    poses as poses,
    regressors as regressors,
    simulation as simulation,
    sparsity as sparsity,
    spatial as spatial,
    tasks as tasks,
    three_d as three_d,
    utility as utility,
)
from spatial_v2.calls.compilation import *
from spatial_v2.calls.options import *
from spatial_v2.configuration import *
from spatial_v2.constraints import *
from spatial_v2.contact import *
from spatial_v2.control import (
    ContactPhase as ContactPhase,
    ControlCost as ControlCost,
    FramePlacementCost as FramePlacementCost,
    FrameVelocityCost as FrameVelocityCost,
    FunctionCost as FunctionCost,
    FunctionQuantity as FunctionQuantity,
    Rollout as Rollout,
    RolloutGradient as RolloutGradient,
    ShootingProblem as ShootingProblem,
    StateCost as StateCost,
    TimeStep as TimeStep,
    TimeStepDerivatives as TimeStepDerivatives,
    modTimeStep_second_derivatives as modTimeStep_second_derivatives,
    rollout as rollout,
    rollout_gradient as rollout_gradient,
    rollout_hessian_product as rollout_hessian_product,
    time_step as time_step,
    time_step_derivatives as time_step_derivatives,
)
from spatial_v2.couplings import *
from spatial_v2.dynamics import *
from spatial_v2.exceptions import *
from spatial_v2.frames import *
from spatial_v2.identification import *
from spatial_v2.inertia import *
from spatial_v2.io import *
from spatial_v2.joints import *
from spatial_v2.mechanisms import *
from spatial_v2.model import *
from spatial_v2.models import *
from spatial_v2.orientation import *
from spatial_v2.packed import *
from spatial_v2.poses import *
from spatial_v2.regressors import *
from spatial_v2.simulation import *
from spatial_v2.sparsity import *
from spatial_v2.spatial import *
from spatial_v2.tasks import *
from spatial_v2.three_d import *
from spatial_v2.utility import *
from spatial_v2.dynamics import ID, FDab
from spatial_v2.show import Animation as Animation, show as show, showmotion as showmotion

__version__: str

ABA = FDab
RNEA = ID
