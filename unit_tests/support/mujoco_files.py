"""Short descriptions of MJCF files, for tests of models from MuJoCo."""

HEAD = '<mujoco model="zoo"><compiler angle="radian"/><option gravity="1 2 -9"/>'

TREE = f"""{HEAD}
<default><joint axis="0 0 1" armature="0.3"/>
  <default class="slider"><joint type="slide" axis="1 0.3 0" armature="0.7"/></default></default>
<worldbody><body name="base" pos="1 2 3" quat="0.8 0.1 0.2 0.3"><freejoint name="root"/>
  <geom type="box" size=".1 .2 .3" pos="0.1 0 0.2" euler="0.1 0.2 0.3"/>
  <body name="arm" pos=".3 0 .1" euler="0.3 0.2 0.1">
    <joint name="h1" axis="0 1 0.2" pos="0.1 0.2 0.3" ref="0.3" range="-1 2" limited="true"/>
    <joint name="s1" class="slider" pos="0.1 .1 .1" ref="0.2"/>
    <joint name="h2" axis="-1 0 0" pos="-.1 .1 0"/>
    <geom type="capsule" size=".05 .2" pos="0 0.1 0.1" euler="0.5 0.2 0.3"/>
    <site name="tip" pos=".1 .2 .3" euler=".3 .2 .1"/> <site name="arm"/>
    <body name="weld" pos=".1 .1 .1" euler="0.2 0.3 0.4"><geom type="sphere" size=".1"/>
      <body name="ball" pos="0.1 0.2 0.4" euler="1 2 3">
        <joint name="b" type="ball" pos="0.1 -.2 .1" armature="0.05"/>
        <geom type="ellipsoid" size=".1 .2 .3" pos=".1 .2 .3"/></body></body></body></body>
<body name="cart" euler="0.1 .2 .3"><joint type="slide" axis="0 -1 0"/>
  <geom type="sphere" size=".2"/>
  <body><joint armature="0"/><geom type="box" size=".3 .1 .1" pos=".4 0 0"/></body></body>
</worldbody></mujoco>"""

PENDULUM = f"""{HEAD}<worldbody><body name="p"><joint name="j" axis="1 1 0" INSIDE/>
<inertial pos="0.1 0.2 0.3" quat="1 2 3 4" mass="2" diaginertia="3 4 5"/></body></worldbody>
</mujoco>"""
